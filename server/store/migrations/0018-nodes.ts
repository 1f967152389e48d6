import type { Ddl } from '../engine.ts'

/** The claim of a job names the node that runs it, and has no end: the claims of a node that is gone are released. */
export const statements = ({ clustered }: Ddl) => [
  `create table nodes (
    id text primary key,
    label text not null,
    version text not null,
    started_at bigint not null,
    beat_at bigint not null
  ) ${clustered}`,

  // the id of the node that runs the job; null while it waits
  'alter table jobs add column claimed_by text',
  // by a process that ended before this migration: the next start releases these claims
  "update jobs set claimed_by = 'ended' where is_leased = 1",
  'drop index jobs_by_lane',
  'alter table jobs drop column is_leased',
  // Each job stands in one of the two. The first has `claimed_by` too: SQLite would read the table to check the condition of the index.
  'create index jobs_waiting on jobs (task, lane, run_at, id, claimed_by) where claimed_by is null',
  'create index jobs_claimed on jobs (claimed_by, task, lane) where claimed_by is not null',
]
