import type { Engine } from '../engine.ts'

/** Where several nodes count the calls of a caller, such as for the rate limit. A single process counts in its memory. */
export const statements = ({ shared }: Engine) => shared
  ? [`create unlogged table call_counts (
      ends_at bigint not null,
      name text collate "C" not null,
      calls bigint not null,
      primary key (ends_at, name)
    ) with (fillfactor = 50)`]
  : []
