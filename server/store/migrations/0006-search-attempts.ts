/** Counts how often the indexing of a mail was begun, to give up a mail that ends its thread or the process each time. */
export const statements = () => [
  'alter table email_search_pending add column attempts integer not null default 0',
]
