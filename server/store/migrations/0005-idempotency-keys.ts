/** Changes that were made under an `Idempotency-Key`, and what was answered. */
export const statements = () => [
  `create table idempotency_keys (
    account_id text not null references accounts (id) on delete cascade,
    mode text not null,
    key text not null,
    operation text not null,
    fingerprint text not null,
    outcome text,
    status integer,
    answer text,
    created_at bigint not null,
    primary key (account_id, mode, key)
  )`,
  `create index idempotency_keys_by_age on idempotency_keys (created_at)`,
]
