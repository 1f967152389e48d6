import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { OnProgress } from './backup-options.ts'
import type { Engine } from './engine.ts'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema/schema.ts'

export interface MigrateOptions {
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

/**
 * Brings the schema up to date, all of it in one transaction.
 * @param options.signal ends the work between two statements
 * @param options.onProgress gets the number of statements
 * @throws Error when the database was written by a newer Mayfly, or the reason of the signal; then the schema is as it was
 */
export async function migrate(
  database: Kysely<Schema>, engine: Engine, now: number, { signal, onProgress }: MigrateOptions = {},
): Promise<void> {
  await database.transaction().execute(async (tx) => {
    await sql.raw(engine.statement('create table if not exists migrations (name text primary key, applied_at bigint not null)')).execute(tx)
    const applied = (await tx.selectFrom('migrations').select('name').execute()).map((row) => row.name)
    const newer = newerVersion(applied)
    if (newer) throw new Error(`MAYFLY_DATABASE: ${newer}. Start that version.`)
    const missing = migrations.filter((migration) => !applied.includes(migration.name))
      .map(({ name, statements }) => ({ name, statements: statements(engine) }))
    const total = missing.reduce((sum, { statements }) => sum + statements.length, 0)
    let done = 0
    for (const { name, statements } of missing) {
      for (const statement of statements) {
        onProgress?.(done++, total)
        await sql.raw(engine.statement(statement)).execute(tx)
        if (signal) await turn() // receives the signals that came during the statement
        signal?.throwIfAborted()
      }
      await tx.insertInto('migrations').values({ name, applied_at: now }).execute()
    }
  })
}

/**
 * Finds the migrations that this version does not know.
 * @returns a text that follows the name of the file in a sentence; undefined when all are known
 */
export function newerVersion(applied: string[]): string | undefined {
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name))
  return unknown.length > 0 ? `was written by a newer Mayfly (it has ${unknown.join(', ')})` : undefined
}
