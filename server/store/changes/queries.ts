import type { Kysely } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import type { Connection, Engine } from '../engine.ts'
import type { EndStep } from './group-end.ts'

/** Runs queries: `sql` builds them, `execute` runs compiled ones without the cost of Kysely. */
export interface Queries {
  sql: Kysely<Schema>
  execute: Connection['execute']
}

/** A connection that reads committed rows, and a function that changes rows in a transaction. */
export interface Transactions extends Queries {
  /** @param options.isAlone `CommitOptions` of group-commit.ts */
  commit<T>(work: (tx: Tx) => Promise<T>, options?: { isAlone?: boolean }): Promise<T>
}

/** A running transaction; everything in it has the same `now`. */
export interface Tx extends Queries {
  engine: Engine
  now: number
  newId(): string
  /** Emits a topic to the listeners of `commits` after the commit; never after a rollback. */
  announce(topic: string): void
  /**
   * Leaves an item to a step at the end of the group of changes that share the commit: for rows that many changes write, and for events,
   * whose numbers are the order of the commits. Until then no change of the group reads it. A change that fails leaves none.
   */
  atEnd<Item>(step: EndStep<Item>, item: Item): void
}
