/**
 * A key is stored with its answer, in the transaction of its change. Keys whose answer was not noted are dropped, and so are those
 * whose answer holds the secret of a webhook. Emails and checks of domains are shown anew, so their answer refers to nothing more.
 */
export const statements = () => [
  `create table stored_answers (
    account_id text not null references accounts (id) on delete cascade,
    mode text not null,
    key text not null,
    fingerprint text not null,
    answer text not null,
    created_at bigint not null,
    primary key (account_id, mode, key)
  )`,
  `insert into stored_answers (account_id, mode, key, fingerprint, answer, created_at)
    select account_id, mode, key, fingerprint, case when operation in ('emails.update', 'domains.verify') then 'null' else answer end, created_at
    from idempotency_keys
    where operation = 'emails.update' or answer is not null and operation not in ('webhooks.create', 'webhooks.rotateSecret')`,
  `drop table idempotency_keys`,
  `alter table stored_answers rename to idempotency_keys`,
  `create index idempotency_keys_by_age on idempotency_keys (created_at)`,
]
