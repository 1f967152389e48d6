import type { Engine } from '../engine.ts'

/** By which a writer of PostgreSQL finds out whether a commit without an answer has taken place. */
export const statements = ({ shared }: Engine) => shared
  ? ['create table commit_records (writer text primary key, number bigint not null, committed_at timestamptz not null)']
  : []
