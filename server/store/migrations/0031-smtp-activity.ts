import type { Ddl } from '../engine.ts'

/**
 * Refused commands and mails at an address, and the faults that its owner has set. Accepted mail has no row here: it is read from the
 * emails. Whether an address has faults is read with it, so that one without them costs nothing more. The column is the last of the row: it
 * may be long.
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
  'alter table addresses add column smtp_faults text',
]
