/** Events in their order, webhooks, counters, and an audit log that only grows. */
export const statements = ({ clustered, serial }: { clustered: string, serial: string }) => [
  // `seq` is the order of the commits: a reader that has seen one has seen all before it
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
  // one row an attempt, made when it is planned; what is sent stands here, as the event's own row goes with its retention
  `create table webhook_deliveries (
    id text primary key,
    webhook_id text not null references webhooks (id) on delete cascade,
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

  `create table totals (
    account_id text not null,
    mode text not null,
    addresses bigint not null,
    active_addresses bigint not null,
    received bigint not null,
    sent bigint not null,
    primary key (account_id, mode)
  ) ${clustered}`,
  `insert into totals (account_id, mode, addresses, active_addresses, received, sent)
    select accounts.id, modes.mode,
      (select count(*) from addresses where account_id = accounts.id and mode = modes.mode),
      (select count(*) from addresses where account_id = accounts.id and mode = modes.mode and is_expired = 0),
      (select count(*) from emails where account_id = accounts.id and mode = modes.mode and type = 'received'),
      (select count(*) from emails where account_id = accounts.id and mode = modes.mode and type = 'sent')
    from accounts, (select 'live' as mode union select 'test') as modes`,
  `create table daily_counts (
    account_id text not null,
    mode text not null,
    day text not null,
    received bigint not null,
    sent bigint not null,
    primary key (account_id, mode, day)
  ) ${clustered}`,
]
