import type { Ddl } from '../engine.ts'

/**
 * Refused commands and mails at an address, and the faults that its owner has set. Accepted mail has no row here: it is read from the
 * emails. The flag of an address is read with it, so that an address without faults costs nothing more.
 */
export const statements = ({ clustered }: Ddl) => [
  `create table smtp_activity (
    address_id text not null references addresses (id) on delete cascade,
    id text not null,
    account_id text not null,
    entry text not null,
    primary key (address_id, id)
  ) ${clustered}`,
  'create index smtp_activity_by_account on smtp_activity (account_id)',
  'create index smtp_activity_by_id on smtp_activity (id)',
  `create table smtp_faults (
    address_id text primary key references addresses (id) on delete cascade,
    account_id text not null,
    steps text not null
  ) ${clustered}`,
  'create index smtp_faults_by_account on smtp_faults (account_id)',
  'alter table addresses add column has_smtp_faults integer not null default 0',
]
