import { sql } from '../libraries/kysely.gen.js'
import type { Kysely } from 'kysely'
import type { Engine } from './engine.ts'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema/schema.ts'

/**
 * Brings the schema up to date, all of it in one transaction.
 * @throws Error when the database was written by a newer Mayfly
 */
export async function migrate(database: Kysely<Schema>, engine: Engine, now: number): Promise<void> {
  await database.transaction().execute(async (tx) => {
    await sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`.execute(tx)
    const applied = (await tx.selectFrom('migrations').select('name').execute()).map((row) => row.name)
    const unknown = unknownMigrations(applied)
    if (unknown.length > 0) {
      throw new Error(`MAYFLY_DATABASE: was written by a newer Mayfly (it has ${unknown.join(', ')}). Start that version.`)
    }
    for (const { name, statements } of migrations.filter((migration) => !applied.includes(migration.name))) {
      for (const statement of statements(engine)) await sql.raw(statement).execute(tx)
      await tx.insertInto('migrations').values({ name, applied_at: now }).execute()
    }
  })
}

/** Migrations of a newer version. */
export const unknownMigrations = (applied: string[]): string[] =>
  applied.filter((name) => !migrations.some((migration) => migration.name === name))
