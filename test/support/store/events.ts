import { inTransaction } from '../../../server/store/database.ts'
import { removeOldEvents, emit, readOutbox } from '../../../server/store/events/outbox.ts'
import type { OutboxEvent } from '../../../server/store/events/outbox.ts'
import { systemOwner } from '../../../server/store/owner.ts'
import type { TestApp } from '../app.ts'
import { ownerOf } from './accounts.ts'
import { rowsOf } from './rows.ts'

/** The events that were emitted, in their order: those that webhooks get. */
export async function emitted(app: TestApp, event?: string) {
  return (await rowsOf(app, 'outbox')).filter(({ accountId }) => accountId !== systemOwner.accountId)
    .map((row) => ({ event: row.event, mode: row.mode, at: new Date(row.createdAt).toISOString(), data: JSON.parse(row.data) as unknown }))
    .filter((row) => !event || row.event === event)
}

/** Up to ten events after the number, as the feed hands them on. */
export const emittedFrom = ({ app }: TestApp, after: number): Promise<OutboxEvent[]> => readOutbox(app.db, after, 10)

/** Emits `address.created` for the owner of a key, once for each of the data, in one transaction. */
export async function emitCreated(app: TestApp, key: string, data: ({ addressId: string } & Record<string, unknown>)[]): Promise<void> {
  const owner = await ownerOf(app, key)
  await inTransaction(app.app.db, async (tx) => {
    for (const each of data) await emit(tx, owner, 'address.created', each)
  })
}

/** Removes all events; of the last one the number stays, as if its account was deleted. */
export async function forgetEvents(app: TestApp): Promise<void> {
  await removeEvents(app)
  await inTransaction(app.app.db, (tx) => tx.sql.updateTable('outbox').set({ account_id: systemOwner.accountId }).execute())
}

/** Removes all events but the last one, as the retention does with old ones. */
export async function removeEvents(app: TestApp): Promise<void> {
  await inTransaction(app.app.db, (tx) => removeOldEvents(tx, { before: Infinity, limit: 1_000 }))
}
