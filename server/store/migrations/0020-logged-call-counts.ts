import type { Engine } from '../engine.ts'

/** Counters of calls that survive a crash of the database's server. */
export const statements = ({ shared }: Engine) => shared
  ? [
    'alter table call_counts set logged',
    // the calls of the last statement: its `do update` can read columns of the new row only
    'alter table call_counts add column added bigint not null default 0',
  ]
  : []
