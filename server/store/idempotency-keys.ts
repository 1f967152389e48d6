import { AppError } from '../errors.ts'
import type { Database, Tx } from './database.ts'
import type { Owner } from './owner.ts'
import { prepared } from './prepared.ts'
import type { Value } from './prepared.ts'
import type { Part } from './remains.ts'
import type { IdempotencyKeyRow } from './idempotency-tables.ts'

/** Milliseconds for which a key is remembered. */
export const keyRetention = 24 * 3600 * 1000

export type KeyOf = Owner & { key: string }

/** @returns undefined also for a key whose time is over */
export async function findKey(db: Database, of: KeyOf, now: number): Promise<IdempotencyKeyRow | undefined> {
  return (await find(db, { ...of, since: now - keyRetention })).rows[0]
}

/**
 * Notes that a change is made under a key.
 * @throws AppError `CONFLICT` when somebody else has noted one meanwhile
 */
export async function insertKey(tx: Tx, row: Omit<IdempotencyKeyRow, 'status' | 'answer' | 'created_at'>): Promise<void> {
  const { numAffectedRows } = await insert(tx, { ...row, created_at: tx.now, status: null, answer: null, until: tx.now - keyRetention })
  if (numAffectedRows !== 1n) throw new AppError('CONFLICT', 'A request with this Idempotency-Key is under way. Send it again in a moment.')
}

/** Notes what was answered, also to a request that needed no change. */
export async function noteAnswer(tx: Tx, row: Omit<IdempotencyKeyRow, 'outcome' | 'created_at'>): Promise<void> {
  await put(tx, { ...row, outcome: null, created_at: tx.now })
}

export async function deleteKey(tx: Tx, of: KeyOf): Promise<void> {
  await remove(tx, of)
}

/** Removes some keys whose time is over. @returns how many */
export async function deleteOldKeys(tx: Tx, { before, limit }: Part): Promise<number> {
  const rows = await tx.sql.selectFrom('idempotency_keys').select(['account_id as accountId', 'mode', 'key'])
    .where('created_at', '<=', before).orderBy('created_at').limit(limit).execute()
  for (const row of rows) await remove(tx, row)
  return rows.length
}

const find = prepared<KeyOf & { since: number }, IdempotencyKeyRow>((sql, value) => sql.selectFrom('idempotency_keys').selectAll()
  .where('account_id', '=', value('accountId')).where('mode', '=', value('mode')).where('key', '=', value('key'))
  .where('created_at', '>', value('since')))

const rowOf = (value: Value<IdempotencyKeyRow>) => ({
  account_id: value('account_id'),
  mode: value('mode'),
  key: value('key'),
  operation: value('operation'),
  fingerprint: value('fingerprint'),
  outcome: value('outcome'),
  status: value('status'),
  answer: value('answer'),
  created_at: value('created_at'),
})

const insert = prepared<IdempotencyKeyRow & { until: number }, never>((sql, value) => sql.insertInto('idempotency_keys')
  .values(rowOf(value))
  .onConflict((conflict) => conflict.columns(['account_id', 'mode', 'key'])
    .doUpdateSet((row) => ({
      operation: row.ref('excluded.operation'),
      fingerprint: row.ref('excluded.fingerprint'),
      outcome: row.ref('excluded.outcome'),
      status: row.ref('excluded.status'),
      answer: row.ref('excluded.answer'),
      created_at: row.ref('excluded.created_at'),
    }))
    .where('idempotency_keys.created_at', '<=', value('until'))))

const put = prepared<IdempotencyKeyRow, never>((sql, value) => sql.insertInto('idempotency_keys')
  .values(rowOf(value))
  .onConflict((conflict) => conflict.columns(['account_id', 'mode', 'key'])
    .doUpdateSet((row) => ({
      outcome: row.ref('excluded.outcome'),
      status: row.ref('excluded.status'),
      answer: row.ref('excluded.answer'),
    }))))

const remove = prepared<KeyOf, never>((sql, value) => sql.deleteFrom('idempotency_keys')
  .where('account_id', '=', value('accountId')).where('mode', '=', value('mode')).where('key', '=', value('key')))
