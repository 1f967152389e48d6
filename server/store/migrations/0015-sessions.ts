import type { Ddl } from '../engine.ts'

/**
 * Sessions of the dashboard, and the links by which they begin. Cookies and tokens are stored as SHA-256, in hex. The first account of a
 * database is that of an administrator.
 */
export const statements = ({ clustered }: Ddl) => [
  'alter table accounts add column is_admin integer not null default 0',
  'update accounts set is_admin = 1 where id = (select id from accounts order by created_at, id limit 1)',
  'alter table audit_logs add column session_id text',

  `create table sessions (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    hash text not null unique,
    created_at bigint not null,
    used_at bigint not null,
    expires_at bigint not null,
    ip_address text not null,
    user_agent text
  )`,
  'create index sessions_by_account on sessions (account_id, used_at)',
  'create index sessions_by_expiry on sessions (expires_at)',

  // of an email address, not of an account: the account may be created when the link is used. The hash is null until the mail is written
  `create table sign_in_links (
    id text primary key,
    email text not null,
    hash text unique,
    is_requested integer not null,
    expires_at bigint not null
  ) ${clustered}`,
  'create index sign_in_links_by_email on sign_in_links (email, id)',
]
