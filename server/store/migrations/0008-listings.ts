/** Each filter of a list reads one range of an index, in the order of the list. Long messages have an excerpt of a fixed size. */
export const statements = ({ clustered }: { clustered: string }) => [
  // received and sent mail are two ranges; `address_id` last, so that mail of removed addresses is skipped within the index
  `drop index emails_by_account`,
  `drop index emails_by_address`,
  `create index emails_by_account on emails (account_id, mode, is_deleted, type, id, address_id)`,
  `create index emails_by_address on emails (address_id, is_deleted, type, id)`,
  `drop index addresses_by_expiry`,
  `create index addresses_active on addresses (account_id, mode, id, expires_at) where is_expired = 0`,
  `create index addresses_expired on addresses (account_id, mode, id) where is_expired = 1`,
  // SQLite reads whole columns, and all columns before them in the row: a list of long messages reads these rows instead
  `create table message_excerpts (message_id text primary key, body_text text not null, body_html text not null) ${clustered}`,
  `insert into message_excerpts (message_id, body_text, body_html)
    select id, substr(body_text, 1, 1001), substr(body_html, 1, 1001) from messages
    where length(codes) + length(links) + length(headers) + length(body_text) + length(body_html) > 16384`,
]
