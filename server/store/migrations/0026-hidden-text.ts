/** Mail that was received before counts as mail without hidden text. */
export const statements = () => ['alter table messages add column has_hidden_text integer not null default 0']
