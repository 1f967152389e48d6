import type { EngineInspection } from './engine.ts'
import { inspectSqlite } from './engines/sqlite/inspect.ts'
import { newerVersion } from './migrate.ts'
import { migrations } from './migrations/index.ts'

type Usable = Extract<EngineInspection, { kind: 'usable' }>

/** The state of a database, read without a change to it. */
export type Inspection = Exclude<EngineInspection, Usable> | Usable & {
  /** Follows the name of the file in a sentence, when this version cannot open it. */
  newer: string | undefined
  /** Migrations that the next start will apply. */
  missing: string[]
}

export function inspectDatabase(file: string): Inspection {
  const found = inspectSqlite(file)
  if (found.kind !== 'usable') return found
  const known = migrations.map(({ name }) => name)
  return {
    ...found,
    newer: newerVersion(found.applied),
    missing: known.filter((name) => !found.applied.includes(name)),
  }
}
