/**
 * Times are milliseconds since 1970, booleans 0 or 1, lists and maps JSON. The large columns of a row stand last.
 * `clustered` is what an engine says to keep the rows of a table in the order of its primary key.
 */
export const statements = ({ clustered }: { clustered: string }) => [
  `create table accounts (
    id text primary key,
    email text not null unique,
    plan text not null check (plan in ('free', 'pro', 'business')),
    created_at bigint not null
  )`,
  `create table api_keys (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    name text not null,
    hash text not null unique,
    mode text not null check (mode in ('live', 'test')),
    scopes text not null,
    created_at bigint not null,
    revoked_at bigint
  )`,

  `create table addresses (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    mode text not null,
    address text not null,
    alias text not null,
    created_at bigint not null,
    expires_at bigint not null,
    is_expired integer not null default 0
  )`,
  `create index addresses_by_account on addresses (account_id, mode, id)`,
  `create index addresses_by_expiry on addresses (account_id, mode, expires_at)`,
  `create index addresses_by_address on addresses (address)`,
  // the account that holds a name, and the time of its release; the primary key decides between two accounts that claim it
  `create table address_names (
    address text primary key,
    account_id text not null references accounts (id) on delete cascade,
    released_at bigint
  ) ${clustered}`,

  // published messages. A message that waits to be parsed is a job; its source is in message_chunks.
  // With a range of the source, body_html has the beginning of the HTML body alone
  `create table messages (
    id text primary key,
    received_at bigint not null,
    size bigint not null,
    has_attachments integer not null,
    from_address text not null,
    from_name text not null,
    subject text not null,
    preview text not null,
    problem text,
    envelope text not null,
    html_offset bigint,
    html_length bigint,
    html_encoding text,
    html_charset text,
    codes text not null,
    links text not null,
    headers text not null,
    body_text text not null,
    body_html text not null,
    source blob
  )`,
  // the sources of messages that are too long for one row
  `create table message_chunks (
    message_id text not null,
    seq integer not null,
    bytes blob not null,
    primary key (message_id, seq)
  )`,
  // the content of an attachment is a range of the source, and size is that of the decoded content
  `create table attachments (
    id text not null,
    message_id text not null references messages (id) on delete cascade,
    filename text not null,
    content_type text not null,
    size bigint not null,
    content_id text,
    is_inline integer not null,
    source_offset bigint not null,
    source_length bigint not null,
    encoding text not null,
    primary key (message_id, id)
  ) ${clustered}`,
  // no foreign keys here: each would cost a look-up per mail, and one function removes a mailbox
  `create table emails (
    id text primary key,
    account_id text not null,
    mode text not null,
    address_id text not null,
    message_id text not null,
    type text not null check (type in ('received', 'sent')),
    recipient text not null,
    is_read integer not null default 0,
    is_starred integer not null default 0,
    is_deleted integer not null default 0,
    received_at bigint not null,
    status text,
    sent_at bigint,
    failure_reason text
  ) ${clustered}`,
  `create index emails_by_account on emails (account_id, mode, is_deleted, id)`,
  `create index emails_by_address on emails (address_id, is_deleted, id)`,
  // the number of emails of an owner: a mailbox (address id), or all mail of an account (account id and mode)
  `create table email_counts (
    owner text not null,
    type text not null,
    is_deleted integer not null,
    total bigint not null,
    last_at bigint not null,
    primary key (owner, type, is_deleted)
  ) ${clustered}`,
  // messages that several mailboxes show, with the number of these; all others are shown by one mailbox
  `create table shared_messages (message_id text primary key, mailboxes integer not null) ${clustered}`,
  // messages without emails, which a job removes in small steps
  `create table discarded_messages (message_id text primary key) ${clustered}`,

  `create table outbox (
    id text primary key,
    account_id text not null,
    mode text not null,
    event text not null,
    data text not null,
    created_at bigint not null
  ) ${clustered}`,
  `create table jobs (
    id text primary key,
    task text not null,
    payload text not null,
    run_at bigint not null,
    attempts integer not null default 0,
    is_leased integer not null default 0
  ) ${clustered}`,
  `create index jobs_by_time on jobs (task, run_at, id)`,

  `create table audit_logs (
    id text primary key,
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
    created_at bigint not null
  )`,
  `create index audit_logs_by_account on audit_logs (account_id, id)`,
]
