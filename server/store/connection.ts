import type { Dialect, Kysely, QueryResult } from 'kysely'
import type { Schema } from './schema/schema.ts'

/** A connection: a dialect for Kysely, and `execute` for compiled queries. */
export interface Connection {
  dialect: Dialect
  /** An engine in this process returns the result itself: a promise would cost more than many queries. */
  execute(sql: string, parameters: readonly unknown[]): MaybePromise<QueryResult<never>>
}

export type MaybePromise<T> = T | Promise<T>

/** Runs queries: `sql` builds them, `execute` runs compiled ones without the cost of Kysely. */
export interface Queries {
  sql: Kysely<Schema>
  execute: Connection['execute']
}
