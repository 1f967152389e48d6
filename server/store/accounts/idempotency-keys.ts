import { conflict } from '../../errors.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { ownedBy, unbound } from '../owner.ts'
import type { RemovalBatch } from '../page.ts'
import type { Owner, Tenant } from '../schema/values.ts'
import { accountDeleted } from './accounts.ts'
import { hasAuditLog, insertAuditLogs } from './audit-logs.ts'
import type { AuditEntry } from './audit-logs.ts'

/** Milliseconds that a key is stored. */
export const keyRetentionMs = 24 * 3600 * 1000

export type KeyOf = Tenant & { key: string }

/** A key, with the answer to its request. */
export interface AnsweredKey extends KeyOf {
  /** Differs for a different request. */
  fingerprint: string
  /** JSON from which a repetition is answered. It holds no secret and no mail. */
  answer: string
  /** Milliseconds since 1970. */
  createdAt: number
}

/** @returns undefined also for a key whose retention is over */
export async function findKey(
  db: Database, of: KeyOf, now: number,
): Promise<Pick<AnsweredKey, 'fingerprint' | 'answer'> | undefined> {
  return (await selectKey(db, { ...of, ...unbound(of), since: now - keyRetentionMs })).rows[0]
}

/**
 * Stores a key with the answer to its request, in the transaction of the change.
 * @throws AppError `CONFLICT` when the key is stored already
 */
async function insertKey(tx: Tx, key: AnsweredKey): Promise<void> {
  const { numAffectedRows } = await upsertKey(tx, { ...key, until: key.createdAt - keyRetentionMs })
  if (numAffectedRows !== 1n) throw conflict('A request with this Idempotency-Key is under way. Send it again in a moment.')
}

/** Removes some keys whose retention is over. @returns how many */
export async function removeOldKeys(tx: Tx, { before, limit }: RemovalBatch): Promise<number> {
  const { numDeletedRows } = await tx.sql.deleteFrom('idempotency_keys')
    .where(({ eb, refTuple, selectFrom }) => eb(refTuple('account_id', 'mode', 'key'), 'in',
      selectFrom('idempotency_keys').select(['account_id', 'mode', 'key']).where('created_at', '<=', before)
        .orderBy('created_at').limit(limit).$asTuple('account_id', 'mode', 'key')))
    .where('created_at', '<=', before) // a key that is stored again meanwhile stays
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const selectKey = prepared<Owner & KeyOf & { since: number }, Pick<AnsweredKey, 'fingerprint' | 'answer'>>((sql, value) =>
  sql.selectFrom('idempotency_keys').select(['fingerprint', 'answer'])
    .$call(ownedBy(value)).where('key', '=', value('key')).where('created_at', '>', value('since')))

const upsertKey = prepared<AnsweredKey & { until: number }, never>((sql, value) => sql.insertInto('idempotency_keys')
  .values({
    account_id: value('accountId'),
    mode: value('mode'),
    key: value('key'),
    fingerprint: value('fingerprint'),
    answer: value('answer'),
    created_at: value('createdAt'),
  })
  .onConflict((conflict) => conflict.columns(['account_id', 'mode', 'key'])
    .doUpdateSet((row) => ({
      fingerprint: row.ref('excluded.fingerprint'),
      answer: row.ref('excluded.answer'),
      created_at: row.ref('excluded.created_at'),
    }))
    .where('idempotency_keys.created_at', '<=', value('until'))))

/** The records that the transaction of a requested change inserts beside the change. */
export interface ChangeRecords {
  audit: AuditEntry & { id: string }
  /** Undefined for a request without an `Idempotency-Key`. */
  key: AnsweredKey | undefined
}

/** @throws AppError `CONFLICT` when the key is stored already, `INVALID_API_KEY` when the account was deleted during the request */
export async function insertChangeRecords(tx: Tx, { audit, key }: ChangeRecords): Promise<void> {
  if (await insertAuditLogs(tx, [audit]) === 0) throw accountDeleted()
  if (key) await insertKey(tx, key)
}

/** Inserts the records unless an earlier transaction, whose outcome is unknown, did. */
export async function insertMissingRecords(tx: Tx, records: ChangeRecords): Promise<void> {
  if (!await hasAuditLog(tx, records.audit)) await insertChangeRecords(tx, records)
}
