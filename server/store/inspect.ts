import { isDatabaseUrl } from '../config/database-url.ts'
import type { EngineInspection } from './engine.ts'
import type { ServerFacts, ServerInspection } from './engines/postgres/inspect.ts'
import { inspectSqlite } from './engines/sqlite/inspect.ts'
import { newerVersion } from './migrate.ts'
import { migrations } from './migrations/index.ts'

export type { ServerFacts }

type Found = EngineInspection | ServerInspection
/** A database that can be opened: `usable` is a file. */
type Usable = Extract<Found, { kind: 'usable' | 'server' }>

/** The state of a database, read without a change to it. */
export type Inspection = Exclude<Found, Usable> | Usable & {
  /** Follows the name of the file in a sentence, when this version cannot open it. */
  newer: string | undefined
  /** Migrations that the next start will apply. */
  missing: string[]
}

/**
 * @param database a file or a URL
 * @param names aliases whose holders are looked for, without dots, hyphens and underscores
 */
export async function inspectDatabase(database: string, names: string[] = []): Promise<Inspection> {
  const found = await inspectEngine(database, names)
  if (found.kind !== 'usable' && found.kind !== 'server') return found
  const known = migrations.map(({ name }) => name)
  return {
    ...found,
    newer: newerVersion(found.applied),
    missing: known.filter((name) => !found.applied.includes(name)),
  }
}

async function inspectEngine(database: string, names: string[]): Promise<Found> {
  if (!isDatabaseUrl(database)) return inspectSqlite(database, names)
  const { inspectPostgres } = await import('./engines/postgres/inspect.ts') // its driver is loaded where it is used
  return inspectPostgres(database, names)
}
