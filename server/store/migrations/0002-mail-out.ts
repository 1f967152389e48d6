/** Domains, forwarding, and one row for each mail that goes out. */
export const statements = ({ clustered }: { clustered: string }) => [
  `create table secrets (name text primary key, value text not null)`,

  `create table domains (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    mode text not null,
    domain text not null,
    token text not null,
    status text not null check (status in ('pending', 'verified')),
    created_at bigint not null,
    verified_at bigint,
    pending_since bigint not null,
    failures integer not null default 0,
    checked_by text,
    findings text
  )`,
  `create unique index domains_by_account on domains (account_id, mode, domain)`,
  // several accounts may add a domain, one can have it verified
  `create unique index domains_verified on domains (domain) where status = 'verified'`,
  // null for the default domain. An address stays when its domain is removed, and then receives nothing
  `alter table addresses add column domain_id text`,
  // names are reserved per domain row: an account that verifies the domain later begins without reserved names
  `alter table address_names rename to address_names_before`,
  `create table address_names (
    address text not null,
    domain_id text not null,
    account_id text not null references accounts (id) on delete cascade,
    released_at bigint,
    primary key (address, domain_id)
  ) ${clustered}`,
  `insert into address_names (address, domain_id, account_id, released_at)
    select address, '', account_id, released_at from address_names_before`,
  `drop table address_names_before`,

  `create table forwarding_addresses (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    mode text not null,
    email text not null,
    token_hash text not null unique,
    token_expires_at bigint not null,
    verified_at bigint,
    created_at bigint not null
  )`,
  `create unique index forwarding_addresses_by_email on forwarding_addresses (account_id, mode, lower(email))`,
  `create index forwarding_addresses_by_account on forwarding_addresses (account_id, mode, id)`,
  `create table forwarding_rules (
    address_id text primary key,
    id text not null,
    forward_to_id text,
    filter_sender text,
    filter_subject text,
    is_active integer not null
  ) ${clustered}`,
  `create index forwarding_rules_by_target on forwarding_rules (forward_to_id)`,

  // outgoing mail: sent by users, forwarded, or verification mail of this server
  `create table deliveries (
    id text primary key,
    account_id text not null,
    mode text not null,
    kind text not null check (kind in ('sent', 'forward', 'verification')),
    email_id text,
    message_id text not null,
    recipient text not null,
    status text not null check (status in ('queued', 'sending', 'sent', 'deferred', 'failed', 'captured')),
    attempts integer not null default 0,
    created_at bigint not null,
    next_at bigint,
    sent_at bigint,
    failure_reason text
  ) ${clustered}`,
  `create index deliveries_by_email on deliveries (email_id, kind)`,
  `create index deliveries_by_message on deliveries (message_id)`,
  `create index deliveries_by_recipient on deliveries (account_id, kind, lower(recipient), created_at)`,
  `create index deliveries_by_status on deliveries (status, id)`,
  `alter table emails drop column status`,
  `alter table emails drop column sent_at`,
  `alter table emails drop column failure_reason`,

  // a table of its own: a column after the source of a message could be read only after the whole source
  `create table authentications (message_id text primary key, results text not null, arc text) ${clustered}`,

  // jobs of one task that have different lanes never wait for one another
  `drop index jobs_by_time`,
  `alter table jobs add column lane text not null default ''`,
  `create index jobs_by_lane on jobs (task, lane, run_at, id)`,
]
