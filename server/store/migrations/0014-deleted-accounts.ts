import type { Ddl } from '../engine.ts'

/**
 * A deleted account has the time of its deletion, until a job has removed its rows in steps. The names of its addresses are kept without
 * an account, so no account gets them before their time. Its audit rows may be removed before their retention is over.
 */
export const statements = ({ clustered, refusal, dropRefusal }: Ddl) => [
  'alter table accounts add column deleted_at bigint',

  'alter table address_names rename to address_names_before',
  // null for the name of an address whose account was deleted
  `create table address_names (
    address text not null,
    domain_id text not null,
    account_id text references accounts (id) on delete set null,
    released_at bigint,
    primary key (address, domain_id)
  ) ${clustered}`,
  `insert into address_names (address, domain_id, account_id, released_at)
    select address, domain_id, account_id, released_at from address_names_before order by address, domain_id`,
  'drop table address_names_before',
  'create index address_names_at_rest on address_names (released_at) where released_at is not null',
  'create index address_names_by_account on address_names (account_id)',
  'create index api_keys_by_account on api_keys (account_id)',

  dropRefusal({ name: 'audit_logs_stay', table: 'audit_logs' }),
  refusal({
    name: 'audit_logs_stay',
    before: 'delete on audit_logs',
    when: `old.created_at >= (select coalesce(max(removable_before), 0) from audit_retention)
      and exists (select 1 from accounts where id = old.account_id and deleted_at is null)`,
    message: 'audit rows are kept until their retention is over',
  }),
]
