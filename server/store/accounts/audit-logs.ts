import { timestamp } from '../../clock.ts'
import type { AuditLog } from '../../contract/types.gen.ts'
import { idBoundary } from '../../ids.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { ownedBy, unbound } from '../owner.ts'
import { afterAllIds, cutPage, lower, maxCounted, pageValues, readFilteredPage } from '../page.ts'
import type { Page } from '../page.ts'
import type { AuditLogRow } from '../schema/accounts.ts'
import { statusesOf } from '../schema/values.ts'
import type { Owner, Tenant } from '../schema/values.ts'
import { addToTotals } from './accounts.ts'

/** The record of a call of the API, or of several with their count. */
export interface AuditEntry extends Tenant {
  /** Made when the first of the calls ended; omitted, the transaction makes one. */
  id?: string
  /** Null for a change that the server made by itself. */
  apiKeyId: string | null
  /** The session that was used in place of a key. */
  sessionId: string | null
  /** The e-mail address of the person of the session; null without one. */
  member: string | null
  action: string
  method: string
  path: string
  status: number
  resourceId: string | null
  ipAddress: string
  userAgent: string | null
  /** Milliseconds since 1970. */
  createdAt: number
  /** Calls that the record stands for; 1 when omitted. */
  callCount?: number
}

type AuditLogKey = Tenant & { id: string }

/** Inserts records, except those of accounts that were deleted meanwhile. @returns how many */
export async function insertAuditLogs(tx: Tx, entries: AuditEntry[]): Promise<number> {
  const inserted: AuditEntry[] = []
  for (const entry of entries) {
    const { numAffectedRows } = await insertAuditLog(tx, { ...entry, id: entry.id ?? tx.newId(), callCount: entry.callCount ?? 1 })
    if (numAffectedRows === 1n) inserted.push(entry)
  }
  addToCounts(tx, inserted, 1)
  return inserted.length
}

export async function hasAuditLog(tx: Tx, key: AuditLogKey): Promise<boolean> {
  return (await selectById(tx, { ...unbound(key), id: key.id })).rows.length > 0
}

export interface AuditLogPage {
  data: AuditLog[]
  total: number
  hasMore: boolean
}

/** The records that a list is asked for; omitted members let all pass. */
export interface AuditLogFilter {
  /** The id of an operation, or the first part of ids. */
  action?: string
  isChange?: boolean
  result?: keyof typeof statusesOf
  resourceId?: string
  /** The id of a key, or `session` for any session. */
  caller?: string
  since?: string
  until?: string
}

/** Records that a step of a filtered list examines: about two milliseconds. */
const stepRows = 1_000

/** @param turn waits between two steps @returns newest first */
export async function findAuditLogs(
  db: Database, owner: Owner, { page, filter, turn }: { page: Page, filter: AuditLogFilter, turn: () => Promise<void> },
): Promise<AuditLogPage> {
  const oldest = filter.since === undefined ? '' : idBoundary(Date.parse(filter.since))
  const end = filter.until === undefined ? afterAllIds : idBoundary(Date.parse(filter.until))
  const find = async (before: string, limit: number) => readFilteredPage({ limit, before }, {
    findStart: async (older) => (await selectStart(db, { ...owner, oldest, before: older, skipped: stepRows - 1 })).rows[0]?.id,
    select: async ({ from, before, limit }) => selectFiltered(db, owner, filter)
      .where('id', '>=', from || oldest).where('id', '<', before).orderBy('id', 'desc').limit(limit).execute(),
    turn,
  })
  const { limit, offset, before = end } = page
  const { rows, hasMore } = await find(lower(before, end), offset + limit)
  const counted = hasMore || page.before !== undefined ? (await find(end, maxCounted)).rows : rows
  return { data: rows.slice(offset, offset + limit).map(toAuditLog), total: Math.min(maxCounted, counted.length), hasMore }
}

/** Newest first. The id of a record is made when its call ends, or the first of the calls that it counts. */
export async function listAuditLogs(db: Database, owner: Owner, page: Page): Promise<AuditLogPage> {
  const [list, total] = await Promise.all([selectPage(db, { ...owner, ...pageValues(page) }), selectTotal(db, owner)])
  const { rows, hasMore } = cutPage(list.rows, page)
  return { data: rows.map(toAuditLog), total: total.rows[0]?.audit_logs ?? 0, hasMore }
}

/**
 * Removes some audit rows. A trigger of the database refuses the removal of younger ones.
 * @param before milliseconds since 1970; rows of that time and later stay
 * @returns how many
 */
export async function removeAuditLogs(tx: Tx, before: number, limit: number): Promise<number> {
  await tx.sql.updateTable('audit_retention').set({ removable_before: before }).execute()
  // owner by owner, in the order of the rows: SQLite does not reorder a cross join; reordered, it would read all rows
  const rows = await tx.sql.selectFrom('totals').crossJoin('audit_logs')
    .whereRef('audit_logs.account_id', '=', 'totals.account_id').whereRef('audit_logs.mode', '=', 'totals.mode')
    .select(['id', 'audit_logs.account_id as accountId', 'audit_logs.mode'])
    .where('id', '<', idBoundary(before)).where('created_at', '<', before).limit(limit).execute()
  const removed: Tenant[] = []
  for (const row of rows) if ((await deleteAuditLog(tx, { ...unbound(row), id: row.id })).numAffectedRows === 1n) removed.push(row)
  addToCounts(tx, removed, -1)
  return rows.length
}

/** Totals are counters: the time of a count would grow with the log. */
function addToCounts(tx: Tx, records: Tenant[], by: 1 | -1) {
  for (const owner of records) addToTotals(tx, owner, { auditLogs: by })
}

const insertAuditLog = prepared<Required<AuditEntry>, never>((sql, value) => sql.insertInto('audit_logs')
  .columns([
    'id', 'account_id', 'mode', 'api_key_id', 'action', 'method', 'path', 'status', 'resource_id', 'ip_address', 'user_agent', 'created_at',
    'call_count', 'session_id', 'member',
  ])
  .expression((from) => from.selectFrom('accounts')
    .select(({ val }) => [
      val(value('id')).as('id'),
      'accounts.id as account_id',
      val(value('mode')).as('mode'),
      val(value('apiKeyId')).as('api_key_id'),
      val(value('action')).as('action'),
      val(value('method')).as('method'),
      val(value('path')).as('path'),
      val(value('status')).as('status'),
      val(value('resourceId')).as('resource_id'),
      val(value('ipAddress')).as('ip_address'),
      val(value('userAgent')).as('user_agent'),
      val(value('createdAt')).as('created_at'),
      val(value('callCount')).as('call_count'),
      val(value('sessionId')).as('session_id'),
      val(value('member')).as('member'),
    ])
    .where('accounts.id', '=', value('accountId')).where('deleted_at', 'is', null)))

const selectById = prepared<Owner & { id: string }, { id: string }>((sql, value) => sql.selectFrom('audit_logs')
  .select('id').$call(ownedBy(value)).where('id', '=', value('id')))

const deleteAuditLog = prepared<Owner & { id: string }, never>((sql, value) => sql.deleteFrom('audit_logs')
  .$call(ownedBy(value)).where('id', '=', value('id')))

const selectPage = prepared<Owner & Required<Page>, AuditLogRow>((sql, value) => sql.selectFrom('audit_logs').selectAll()
  .$call(ownedBy(value)).where('id', '<', value('before'))
  .orderBy('id', 'desc').limit(value('limit')).offset(value('offset')))

const selectStart = prepared<Owner & { before: string, oldest: string, skipped: number }, { id: string }>((sql, value) => sql.selectFrom('audit_logs')
  .select('id').$call(ownedBy(value)).where('id', '<', value('before')).where('id', '>=', value('oldest'))
  .orderBy('id', 'desc').limit(1).offset(value('skipped')))

function selectFiltered(db: Database, owner: Owner, { action, isChange, result, resourceId, caller }: AuditLogFilter) {
  let query = db.sql.selectFrom('audit_logs').selectAll().$call(ownedBy(owner))
  if (action !== undefined) query = query.where((row) => row.or([row('action', '=', action), row('action', 'like', `${action}.%`)]))
  if (isChange !== undefined) query = query.where('method', isChange ? '<>' : '=', 'GET')
  if (result !== undefined) query = query.where('status', '>=', statusesOf[result][0]).where('status', '<', statusesOf[result][1])
  if (resourceId !== undefined) query = query.where('resource_id', '=', resourceId.toLowerCase())
  if (caller === 'session') query = query.where('session_id', 'is not', null)
  else if (caller !== undefined) query = query.where('api_key_id', '=', caller.toLowerCase())
  return query
}

const selectTotal = prepared<Owner, { audit_logs: number }>((sql, value) => sql.selectFrom('totals')
  .select('audit_logs').$call(ownedBy(value)))

const toAuditLog = (row: AuditLogRow): AuditLog => ({
  id: row.id,
  action: row.action,
  method: row.method,
  path: row.path,
  status: row.status,
  resourceId: row.resource_id,
  apiKeyId: row.api_key_id,
  sessionId: row.session_id,
  member: row.member,
  ipAddress: row.ip_address,
  userAgent: row.user_agent,
  createdAt: timestamp(row.created_at),
  count: row.call_count,
})
