import { conflict } from '../errors.ts'
import type { Database, Tx } from './database.ts'
import type { Owner } from './owner.ts'
import { prepared } from './prepared.ts'
import type { Part } from './remains.ts'
import type { IdempotencyKeyRow } from './idempotency-tables.ts'

/** Milliseconds for which a key is remembered. */
export const keyRetention = 24 * 3600 * 1000

export type KeyOf = Owner & { key: string }

/** @returns undefined also for a key whose retention is over */
export async function findKey(db: Database, of: KeyOf, now: number): Promise<IdempotencyKeyRow | undefined> {
  return (await find(db, { ...of, since: now - keyRetention })).rows[0]
}

/**
 * Stores a key with the answer to its request, in the transaction of the change.
 * @throws AppError `CONFLICT` when the key is stored already
 */
export async function insertKey(tx: Tx, row: IdempotencyKeyRow): Promise<void> {
  const { numAffectedRows } = await insert(tx, { ...row, until: row.created_at - keyRetention })
  if (numAffectedRows !== 1n) throw conflict('A request with this Idempotency-Key is under way. Send it again in a moment.')
}

/** Removes some keys whose retention is over. @returns how many */
export async function deleteOldKeys(tx: Tx, { before, limit }: Part): Promise<number> {
  const rows = await tx.sql.selectFrom('idempotency_keys').select(['account_id as accountId', 'mode', 'key'])
    .where('created_at', '<=', before).orderBy('created_at').limit(limit).execute()
  for (const row of rows) await remove(tx, row)
  return rows.length
}

const find = prepared<KeyOf & { since: number }, IdempotencyKeyRow>((sql, value) => sql.selectFrom('idempotency_keys').selectAll()
  .where('account_id', '=', value('accountId')).where('mode', '=', value('mode')).where('key', '=', value('key'))
  .where('created_at', '>', value('since')))

const insert = prepared<IdempotencyKeyRow & { until: number }, never>((sql, value) => sql.insertInto('idempotency_keys')
  .values({
    account_id: value('account_id'),
    mode: value('mode'),
    key: value('key'),
    fingerprint: value('fingerprint'),
    answer: value('answer'),
    created_at: value('created_at'),
  })
  .onConflict((conflict) => conflict.columns(['account_id', 'mode', 'key'])
    .doUpdateSet((row) => ({
      fingerprint: row.ref('excluded.fingerprint'),
      answer: row.ref('excluded.answer'),
      created_at: row.ref('excluded.created_at'),
    }))
    .where('idempotency_keys.created_at', '<=', value('until'))))

const remove = prepared<KeyOf, never>((sql, value) => sql.deleteFrom('idempotency_keys')
  .where('account_id', '=', value('accountId')).where('mode', '=', value('mode')).where('key', '=', value('key')))
