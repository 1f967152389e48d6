import type { AuditLog } from '../contract/types.gen.ts'
import { idBoundary } from '../ids.ts'
import { timestamp } from '../timestamp.ts'
import type { Database, Tx } from './database.ts'
import type { Owner } from './owner.ts'
import { cutPage, pageValues } from './page.ts'
import type { Page } from './page.ts'
import { prepared } from './prepared.ts'
import type { AuditLogRow, Mode } from './schema.ts'
import { addToTotals } from './totals.ts'

/** The record of a call of the API, or of several with their count. An id that it has already was made when the first call ended. */
export type AuditEntry = Omit<AuditLogRow, 'id' | 'call_count'> & Partial<Pick<AuditLogRow, 'id' | 'call_count'>>

type AuditLogKey = Pick<AuditLogRow, 'id' | 'account_id' | 'mode'>

export async function insertAuditLogs(tx: Tx, entries: AuditEntry[]): Promise<void> {
  for (const entry of entries) await insertAuditLog(tx, { ...entry, id: entry.id ?? tx.newId(), call_count: entry.call_count ?? 1 })
  await count(tx, entries, 1)
}

export async function hasAuditLog(tx: Tx, row: AuditLogKey): Promise<boolean> {
  return (await found(tx, row)).rows.length > 0
}

export interface AuditLogPage {
  data: AuditLog[]
  total: number
  hasMore: boolean
}

/** Newest first: the id of a row is made when its call, or the first of those that it counts, ends. */
export async function listAuditLogs(db: Database, owner: Owner, page: Page): Promise<AuditLogPage> {
  const [list, total] = await Promise.all([listing(db, { ...owner, ...pageValues(page) }), counted(db, owner)])
  const { rows, hasMore } = cutPage(list.rows, page)
  return { data: rows.map(toAuditLog), total: total.rows[0]?.audit_logs ?? 0, hasMore }
}

/**
 * Removes some audit rows; the database refuses that for younger ones.
 * @param before milliseconds since 1970; rows of that time and later stay
 * @returns how many
 */
export async function deleteAuditLogs(tx: Tx, before: number, limit: number): Promise<number> {
  await tx.sql.updateTable('audit_retention').set({ removable_before: before }).execute()
  // owner by owner, as the rows stand: a cross join is not turned round, which would read all rows
  const rows = await tx.sql.selectFrom('totals').crossJoin('audit_logs')
    .whereRef('audit_logs.account_id', '=', 'totals.account_id').whereRef('audit_logs.mode', '=', 'totals.mode')
    .select(['id', 'audit_logs.account_id', 'audit_logs.mode'])
    .where('id', '<', idBoundary(before)).where('created_at', '<', before).limit(limit).execute()
  for (const { id, account_id, mode } of rows) await deleteAuditLog(tx, { id, account_id, mode })
  await count(tx, rows, -1)
  return rows.length
}

/** The total of a list is kept: a log only grows, and counting it would take longer and longer. */
async function count(tx: Tx, rows: Pick<AuditLogRow, 'account_id' | 'mode'>[], by: 1 | -1) {
  for (const ofOwner of Object.values(Object.groupBy(rows, (row) => `${row.account_id}/${row.mode}`))) {
    const { account_id: accountId, mode } = ofOwner![0]!
    await addToTotals(tx, { accountId, mode }, { audit_logs: by * ofOwner!.length })
  }
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
  call_count: value('call_count'),
}))

const found = prepared<AuditLogKey, { id: string }>((sql, value) => sql.selectFrom('audit_logs')
  .select('id').where('account_id', '=', value('account_id')).where('mode', '=', value('mode')).where('id', '=', value('id')))

const deleteAuditLog = prepared<AuditLogKey, never>((sql, value) => sql.deleteFrom('audit_logs')
  .where('account_id', '=', value('account_id')).where('mode', '=', value('mode')).where('id', '=', value('id')))

const listing = prepared<Owner & Required<Page>, AuditLogRow>((sql, value) => sql.selectFrom('audit_logs').selectAll()
  .where('account_id', '=', value('accountId')).where('mode', '=', value('mode')).where('id', '<', value('before'))
  .orderBy('id', 'desc').limit(value('limit')).offset(value('offset')))

const counted = prepared<{ accountId: string, mode: Mode }, { audit_logs: number }>((sql, value) => sql.selectFrom('totals')
  .select('audit_logs').where('account_id', '=', value('accountId')).where('mode', '=', value('mode')))

const toAuditLog = (row: AuditLogRow): AuditLog => ({
  id: row.id,
  action: row.action,
  method: row.method,
  path: row.path,
  status: row.status,
  resourceId: row.resource_id,
  apiKeyId: row.api_key_id,
  ipAddress: row.ip_address,
  userAgent: row.user_agent,
  createdAt: timestamp(row.created_at),
  count: row.call_count,
})
