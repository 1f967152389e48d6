/** Links by which others read the received mail of one address. Tokens are stored as SHA-256, in hex. */
export const statements = () => [
  `create table share_links (
    id text primary key,
    address_id text not null references addresses (id) on delete cascade,
    hash text not null unique,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  'create index share_links_by_address on share_links (address_id)',
]
