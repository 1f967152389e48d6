import { sql as raw } from 'kysely'
import type { Kysely } from 'kysely'
import { timestamp } from '../../clock.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { readFilteredPage } from '../page.ts'
import type { IdRange, Page } from '../page.ts'
import type { AccountRow } from '../schema/accounts.ts'
import type { Schema } from '../schema/schema.ts'
import type { Account } from './accounts.ts'

/** An account, as administrators see it. */
export interface ManagedAccountRecord extends Account {
  /** Whether it administrates the server without MAYFLY_ADMINS. */
  isStoredAdmin: boolean
  /** In live and test mode, by the kept counters. */
  activeAddresses: number
  storedBytes: number
}

export interface AccountFilter extends Omit<Page, 'offset'> {
  /** Part of the email address, in any case. */
  search?: string
}

/** Accounts whose email addresses a step of a search compares: about two milliseconds. */
const stepRows = 10_000

/** All accounts that are not deleted, newest first. */
export async function listManagedAccounts(db: Database, { search = '', ...page }: AccountFilter): Promise<{ accounts: ManagedAccountRecord[], hasMore: boolean }> {
  const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  const { rows, hasMore } = await readFilteredPage(page, {
    findStart: async (before) => (await selectStart(db, { before, skipped: stepRows - 1 })).rows[0]?.id,
    select: async (range) => (await selectMatching(db, { ...range, pattern })).rows,
  })
  return { accounts: rows.map(toManaged), hasMore }
}

/** @returns undefined when there is no such account */
export async function findManagedAccount(db: Database | Tx, id: string): Promise<ManagedAccountRecord | undefined> {
  const row = await selectManaged(db.sql).where('accounts.id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
  return row && toManaged(row)
}

const selectPresentIds = (sql: Kysely<Schema>) => sql.selectFrom('accounts').select('id').where('deleted_at', 'is', null)

const selectStart = prepared<{ before: string, skipped: number }, { id: string }>((sql, value) => selectPresentIds(sql)
  .where('id', '<', value('before')).orderBy('id', 'desc').limit(1).offset(value('skipped')))

/** The ids come from the index alone, which has the email addresses. */
const selectMatching = prepared<IdRange & { limit: number, pattern: string }, ManagedRow>((sql, value) => selectManaged(sql)
  .where('accounts.id', 'in', selectPresentIds(sql).where('id', '>=', value('from')).where('id', '<', value('before'))
    .where(raw<boolean>`lower(email) like ${value('pattern')} escape '\\'`).orderBy('id', 'desc').limit(value('limit')))
  .orderBy('accounts.id', 'desc'))

const selectManaged = (sql: Kysely<Schema>) => sql.selectFrom('accounts').leftJoin('account_bytes', 'account_bytes.account_id', 'accounts.id')
  .selectAll('accounts').select('bytes')
  .select((row) => row.selectFrom('totals').select((totals) => totals.fn.sum<number>('active_addresses').as('n'))
    .whereRef('totals.account_id', '=', 'accounts.id').as('active'))

type ManagedRow = AccountRow & { bytes: number | null, active: number | null }

const toManaged = (row: ManagedRow): ManagedAccountRecord => ({
  id: row.id,
  email: row.email,
  plan: row.plan,
  createdAt: timestamp(row.created_at),
  isStoredAdmin: row.is_admin === 1,
  activeAddresses: row.active ?? 0,
  storedBytes: row.bytes ?? 0,
})
