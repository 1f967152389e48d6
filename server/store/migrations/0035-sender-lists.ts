/** The senders that an address allows and blocks, each a list of patterns as JSON; null for an empty list. */
export const statements = () => [
  'alter table addresses add column allowed_senders text',
  'alter table addresses add column blocked_senders text',
]
