/**
 * The beginning of a key, for lists; null for older keys. The last use has a table of its own: a change of `api_keys` ends the cache of all
 * keys (`accounts/api-keys.ts`).
 */
export const statements = () => [
  'alter table api_keys add column prefix text',
  `create table api_key_uses (
    api_key_id text primary key references api_keys (id) on delete cascade,
    used_at bigint not null
  )`,
]
