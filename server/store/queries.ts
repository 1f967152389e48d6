import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'
import type { Connection } from './sqlite.ts'

/** Where queries go. `execute` takes one that is compiled already, and spends no time on its way. */
export interface Queries {
  sql: Kysely<Schema>
  execute: Connection['execute']
}

/** A running transaction; everything in it has the same `now`. */
export interface Tx extends Queries {
  now: number
  newId(): string
  /** Tells the listeners of `commits` once this is on disk, and never when it is rolled back. */
  announce(topic: string): void
}
