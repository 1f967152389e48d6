import type { Engine } from '../engine.ts'

/** Columns by which lists select, of tables that may have many rows of one owner. */
const selecting = [
  ['addresses', 'account_id'],
  ['audit_logs', 'account_id'],
  ['emails', 'account_id'],
  ['emails', 'address_id'],
  ['forwarding_addresses', 'account_id'],
  ['webhook_deliveries', 'webhook_id'],
]

/**
 * Has PostgreSQL assume many different values, whatever it counts. With few, such as the accounts of one team, it would look for the newest
 * rows of an owner among the newest of all, which reads the whole table for an owner with only old ones.
 */
export const statements = ({ shared }: Engine) => shared
  ? selecting.map(([table, column]) => `alter table ${table} alter column ${column} set (n_distinct = -0.1)`)
  : []
