import { sql as raw } from 'kysely'
import { idBoundary } from '../ids.ts'
import type { Tx } from './database.ts'
import { discardMessage } from './messages.ts'

/** A batch of rows to remove. @param before milliseconds since 1970; later rows stay */
export interface Part {
  before: number
  limit: number
}

/** Removes some events. The last one stays: the next number follows from it. @returns how many */
export async function deleteEvents(tx: Tx, { before, limit }: Part): Promise<number> {
  const rows = await tx.sql.selectFrom('outbox').select(['seq', 'created_at'])
    .where('seq', '<', (newest) => newest.selectFrom('outbox').select((row) => row.fn.max('seq').as('seq')))
    .orderBy('seq').limit(limit).execute()
  const old = rows.slice(0, rows.findLastIndex((row) => row.created_at < before) + 1)
  if (old.length > 0) await tx.sql.deleteFrom('outbox').where('seq', '<=', old.at(-1)!.seq).execute()
  return old.length
}

/** Removes some verification mails that are delivered or have failed, and their messages. @returns how many */
export async function deleteVerifications(tx: Tx, { before, limit }: Part): Promise<number> {
  const rows = await tx.sql.selectFrom('deliveries').select(['id', 'message_id'])
    .where('kind', '=', raw.lit('verification')) // a literal: SQLite uses a partial index only for a literal
    .where('id', '<', idBoundary(before)).where('status', 'in', ['sent', 'captured', 'failed']).orderBy('id').limit(limit).execute()
  for (const row of rows) {
    await tx.sql.deleteFrom('deliveries').where('id', '=', row.id).execute()
    await discardMessage(tx, row.message_id)
  }
  return rows.length
}

/** Removes some webhook deliveries whose attempt is over. @returns how many */
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
