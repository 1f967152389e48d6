/**
 * The people who may use an account beside its own address, with their roles. An invitation is a hash, in hex, until it is used. A session
 * is of a person: with an invitation, which others saw, it is no proof of the address.
 */
export const statements = () => [
  `create table members (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    email text not null,
    role text not null,
    created_at bigint not null,
    joined_at bigint,
    is_proven integer not null default 0,
    invitation_hash text unique,
    invitation_expires_at bigint
  )`,
  'create unique index members_by_account on members (account_id, email)',
  'create index members_by_email on members (email)',

  `alter table sessions add column email text not null default ''`,
  'update sessions set email = (select accounts.email from accounts where accounts.id = sessions.account_id)',
  'alter table sessions add column is_proven integer not null default 1',
  'create index sessions_by_email on sessions (email, used_at)',
  'alter table audit_logs add column member text',
]
