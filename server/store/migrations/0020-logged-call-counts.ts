import type { Engine } from '../engine.ts'

/** Counters of calls that survive a crash of the database's server. */
export const statements = ({ shared }: Engine) => shared
  ? [
    'alter table call_counts set logged',
    // the last number of calls that was added, for the statement that adds them
    'alter table call_counts add column added bigint not null default 0',
  ]
  : []
