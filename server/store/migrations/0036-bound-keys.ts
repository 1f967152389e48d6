/** The part of the addresses that a key may use, as JSON, when it ends, and the key that made it. */
export const statements = () => [
  'alter table api_keys add column bounds text',
  'alter table api_keys add column expires_at bigint',
  'alter table api_keys add column created_by text',
]
