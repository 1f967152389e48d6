import type { Ddl } from '../engine.ts'

/** The ledger of mail that leaves the server, and which accounts signed themselves up. */
export const statements = ({ clustered }: Ddl) => [
  // of an account, a recipient, a domain or the server, by the SHA-256 of its name; a window begins with its first mail
  `create table mail_counts (
    name text primary key,
    ends_at bigint not null,
    mails integer not null
  ) ${clustered}`,
  'create index mail_counts_by_end on mail_counts (ends_at)',
  // 0 for a mail that is counted when it is about to leave
  'alter table deliveries add column is_counted integer not null default 0',
  // 1 also where it is not known: accounts of the last release
  'alter table accounts add column has_signed_up integer not null default 1',
  "update accounts set has_signed_up = 0 where plan <> 'free' or is_admin = 1",
]
