import type { Engine } from '../engine.ts'

/**
 * Where the sources of mail are that have left the database (docs/decisions/0025). A row for each mail: types with few bytes, and columns
 * in the order of their alignment.
 */
export const statements = ({ serial }: Engine) => [
  `create table source_segments (
    number ${serial},
    name text not null,
    mails integer not null default 0,
    state text not null,
    due_at bigint not null
  )`,
  'create index empty_source_segments on source_segments (due_at) where mails = 0',
  `create table source_places (
    segment bigint not null,
    start integer not null,
    message_id uuid primary key,
    key blob not null
  )`,
]
