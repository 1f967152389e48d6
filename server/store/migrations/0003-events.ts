import type { Ddl } from '../engine.ts'

/** Events in their order, webhooks, counters, and an audit log that only grows. */
export const statements = ({ clustered, serial, dayOf, refusal }: Ddl) => [
  // `seq` is the order of the commits: a reader that has read an event has read all earlier ones
  `alter table outbox rename to outbox_before`,
  `create table outbox (
    seq ${serial},
    id text not null,
    account_id text not null,
    mode text not null,
    event text not null,
    data text not null,
    created_at bigint not null
  )`,
  `insert into outbox (id, account_id, mode, event, data, created_at)
    select id, account_id, mode, event, data, created_at from outbox_before order by id`,
  `drop table outbox_before`,

  `create table webhooks (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    mode text not null,
    url text not null,
    events text not null,
    address_ids text,
    secret text not null,
    previous_secret text,
    previous_secret_until bigint,
    is_active integer not null,
    disabled_at bigint,
    disabled_reason text,
    created_at bigint not null
  )`,
  `create index webhooks_by_account on webhooks (account_id, mode, id)`,
  // a row for each attempt, from its planning on. It has its own copy of the payload, as the event is removed after its retention.
  // Those of a removed webhook are removed in steps
  `create table webhook_deliveries (
    id text primary key,
    webhook_id text not null,
    event_id text not null,
    event text not null,
    payload text not null,
    attempt integer not null,
    is_counted integer not null,
    status text not null check (status in ('pending', 'succeeded', 'failed')),
    due_at bigint not null,
    sent_at bigint,
    duration_ms bigint,
    response_status integer,
    response_body text,
    error text,
    created_at bigint not null
  )`,
  `create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id)`,
  `create index webhook_deliveries_by_age on webhook_deliveries (status, created_at)`,
  `create index webhook_deliveries_pending on webhook_deliveries (webhook_id, id) where status = 'pending'`,

  // current totals; email_counts has the number of emails ever stored
  `create table totals (
    account_id text not null references accounts (id) on delete cascade,
    mode text not null,
    addresses bigint not null,
    active_addresses bigint not null,
    audit_logs bigint not null,
    primary key (account_id, mode)
  ) ${clustered}`,
  `insert into totals (account_id, mode, addresses, active_addresses, audit_logs)
    select accounts.id, modes.mode,
      (select count(*) from addresses where account_id = accounts.id and mode = modes.mode),
      (select count(*) from addresses where account_id = accounts.id and mode = modes.mode and is_expired = 0),
      (select count(*) from audit_logs where account_id = accounts.id and mode = modes.mode)
    from accounts, (select 'live' as mode union select 'test') as modes`,
  `create table daily_counts (
    account_id text not null,
    mode text not null,
    day text not null,
    received bigint not null,
    sent bigint not null,
    primary key (account_id, mode, day)
  ) ${clustered}`,
  `insert into daily_counts (account_id, mode, day, received, sent)
    select account_id, mode, ${dayOf('received_at')},
      sum(case when type = 'received' then 1 else 0 end), sum(case when type = 'sent' then 1 else 0 end)
    from emails group by 1, 2, 3`,
  `alter table email_counts add column ever bigint not null default 0`,
  `update email_counts set ever = (select sum(same.total) from email_counts as same
    where same.owner = email_counts.owner and same.type = email_counts.type) where is_deleted = 0`,
  // addresses past their expiry that are not marked as expired yet: few, and only for a moment
  `create index addresses_unmarked on addresses (account_id, mode, expires_at) where is_expired = 0`,

  // deleted addresses while a job removes their emails in steps; these emails are hidden
  `create table removed_mailboxes (address_id text primary key) ${clustered}`,
  `create index address_names_at_rest on address_names (released_at) where released_at is not null`,
  `create index deliveries_of_verifications on deliveries (id) where kind = 'verification'`,

  // the audit log is append-only: only rows older than the retention are removed. Rows are clustered by owner, then by id
  `drop index audit_logs_by_account`,
  `alter table audit_logs rename to audit_logs_before`,
  `create table audit_logs (
    id text not null,
    account_id text not null references accounts (id) on delete cascade,
    mode text not null,
    api_key_id text,
    action text not null,
    method text not null,
    path text not null,
    status integer not null,
    resource_id text,
    ip_address text not null,
    user_agent text,
    created_at bigint not null,
    primary key (account_id, mode, id)
  ) ${clustered}`,
  `insert into audit_logs (id, account_id, mode, api_key_id, action, method, path, status, resource_id, ip_address, user_agent, created_at)
    select id, account_id, mode, api_key_id, action, method, path, status, resource_id, ip_address, user_agent, created_at
    from audit_logs_before order by account_id, mode, id`,
  `drop table audit_logs_before`,
  // one row: audit rows from before this time may be removed
  `create table audit_retention (removable_before bigint not null)`,
  `insert into audit_retention (removable_before) values (0)`,
  refusal({ name: 'audit_logs_stay_as_they_are', before: 'update on audit_logs', message: 'audit rows cannot be changed' }),
  refusal({
    name: 'audit_logs_stay',
    before: 'delete on audit_logs',
    // they are removed with their account
    when: `old.created_at >= (select coalesce(max(removable_before), 0) from audit_retention)
      and exists (select 1 from accounts where id = old.account_id)`,
    message: 'audit rows are kept until their retention is over',
  }),
  refusal({
    name: 'audit_logs_are_not_replaced',
    before: 'insert on audit_logs',
    when: 'exists (select 1 from audit_logs where account_id = new.account_id and mode = new.mode and id = new.id)',
    message: 'audit rows cannot be changed',
  }),
]
