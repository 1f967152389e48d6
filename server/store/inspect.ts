import type { EngineInspection } from './engine.ts'
import { inspectSqlite } from './engines/sqlite/inspect.ts'
import { unknownMigrations } from './migrate.ts'
import { migrations } from './migrations/index.ts'

type Usable = Extract<EngineInspection, { kind: 'usable' }>

/** The state of a database, read without a change to it. */
export type Inspection = Exclude<EngineInspection, Usable> | Usable & {
  /** Migrations that this version does not know, and those that the next start will apply. */
  unknown: string[]
  missing: string[]
}

export function inspectDatabase(file: string): Inspection {
  const found = inspectSqlite(file)
  if (found.kind !== 'usable') return found
  const known = migrations.map(({ name }) => name)
  return {
    ...found,
    unknown: unknownMigrations(found.applied),
    missing: known.filter((name) => !found.applied.includes(name)),
  }
}
