import { accountDeleted } from './accounts.ts'
import { hasAuditLog, insertAuditLogs } from './audit-logs.ts'
import type { AuditEntry } from './audit-logs.ts'
import type { Tx } from '../database.ts'
import { insertKey } from './idempotency-keys.ts'
import type { AnsweredKey } from './idempotency-keys.ts'

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
