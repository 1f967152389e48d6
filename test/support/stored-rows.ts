import type { TestApp } from './app.ts'
import type { Schema } from '../../server/store/schema/schema.ts'

/** The emitted events, in their order. */
export async function emitted(app: TestApp, event?: string) {
  const rows = await app.app.db.sql.selectFrom('outbox').selectAll().orderBy('seq').execute()
  return rows
    .map((row) => ({ event: row.event, mode: row.mode, at: new Date(row.created_at).toISOString(), data: JSON.parse(row.data) as unknown }))
    .filter((row) => !event || row.event === event)
}

const mailTables = ['messages', 'message_chunks', 'attachments', 'emails', 'addresses'] as const satisfies (keyof Schema)[]

/** The number of rows in each table that holds addresses or mail. */
export async function storedRows(app: TestApp): Promise<Record<(typeof mailTables)[number], number>> {
  const counts = await Promise.all(mailTables.map(async (table) => {
    const { n } = await app.app.db.sql.selectFrom(table).select((count) => count.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
    return [table, n] as const
  }))
  return Object.fromEntries(counts) as Record<(typeof mailTables)[number], number>
}
