import type { Engine } from '../engine.ts'

/** State that several nodes share: the mail that is arriving at each, and counters of calls. */
export const statements = ({ shared }: Engine) => [
  // both unused since migration 0027: the time of the oldest mail that the node has in its memory and not published yet
  'alter table nodes add column arriving_since bigint',
  // the time at which the former was known to be committed
  'alter table nodes add column arriving_recorded_at bigint',
  // calls of a caller, such as for the rate limit; a single process counts in its memory
  ...shared
    ? [`create unlogged table call_counts (
        ends_at bigint not null,
        name text collate "C" not null,
        calls bigint not null,
        primary key (ends_at, name)
      ) with (fillfactor = 50)`]
    : [],
]
