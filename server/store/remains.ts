import { sql as raw } from 'kysely'
import { idBoundary } from '../ids.ts'
import type { Tx } from './database.ts'
import { discardMessage } from './messages.ts'

/** A part of what is over, and was noted before a time in milliseconds since 1970. */
export interface Part {
  before: number
  limit: number
}

/** Removes some events; the last one stays, whose number says how far they are. @returns how many */
export async function deleteEvents(tx: Tx, { before, limit }: Part): Promise<number> {
  const rows = await tx.sql.selectFrom('outbox').select(['seq', 'created_at'])
    .where('seq', '<', (newest) => newest.selectFrom('outbox').select((row) => row.fn.max('seq').as('seq')))
    .orderBy('seq').limit(limit).execute()
  const old = rows.slice(0, rows.findLastIndex((row) => row.created_at < before) + 1)
  if (old.length > 0) await tx.sql.deleteFrom('outbox').where('seq', '<=', old.at(-1)!.seq).execute()
  return old.length
}

/** Removes some verification mails that are delivered, or never will be, and what was kept of them. @returns how many */
export async function deleteVerifications(tx: Tx, { before, limit }: Part): Promise<number> {
  const rows = await tx.sql.selectFrom('deliveries').select(['id', 'message_id'])
    .where('kind', '=', raw.lit('verification')) // written out, for the index of just these
    .where('id', '<', idBoundary(before)).where('status', 'in', ['sent', 'captured', 'failed']).orderBy('id').limit(limit).execute()
  for (const row of rows) {
    await tx.sql.deleteFrom('deliveries').where('id', '=', row.id).execute()
    await discardMessage(tx, row.message_id)
  }
  return rows.length
}

/** Removes some of the attempts to tell a webhook that were made. @returns how many */
export async function deleteWebhookDeliveries(tx: Tx, { before, limit }: Part): Promise<number> {
  let removed = 0
  for (const status of ['succeeded', 'failed'] as const) {
    const rows = await tx.sql.selectFrom('webhook_deliveries').select('id')
      .where('status', '=', status).where('created_at', '<', before).limit(limit - removed).execute()
    if (rows.length > 0) await tx.sql.deleteFrom('webhook_deliveries').where('id', 'in', rows.map(({ id }) => id)).execute()
    removed += rows.length
  }
  return removed
}
