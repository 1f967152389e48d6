import type { Tx } from './database.ts'
import { prepared } from './prepared.ts'
import type { AuditLogRow } from './schema.ts'

/** One call of the API, as it is kept. */
export type AuditEntry = Omit<AuditLogRow, 'id'>

export async function insertAuditLogs(tx: Tx, entries: AuditEntry[]): Promise<void> {
  for (const entry of entries) await insertAuditLog(tx, { ...entry, id: tx.newId() })
}

const insertAuditLog = prepared<AuditLogRow, never>((sql, value) => sql.insertInto('audit_logs').values({
  id: value('id'),
  account_id: value('account_id'),
  mode: value('mode'),
  api_key_id: value('api_key_id'),
  action: value('action'),
  method: value('method'),
  path: value('path'),
  status: value('status'),
  resource_id: value('resource_id'),
  ip_address: value('ip_address'),
  user_agent: value('user_agent'),
  created_at: value('created_at'),
}))
