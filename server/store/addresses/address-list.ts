import { sql as raw } from '../../libraries/kysely.gen.js'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Address } from '../../contract/types.gen.ts'
import { hasDomain, selectAddresses, toAddress } from './addresses.ts'
import type { ListedRow } from './addresses.ts'
import type { Database } from '../database.ts'
import { ownedBy } from '../owner.ts'
import type { Owner } from '../owner.ts'
import { cutPage, pageValues } from '../page.ts'
import type { Page } from '../page.ts'
import { prepared } from '../changes/prepared.ts'
import type { Value } from '../changes/prepared.ts'
import type { Schema } from '../schema/schema.ts'
import type { Bit } from '../schema/values.ts'

export interface AddressFilter extends Page {
  status?: 'active' | 'expired'
}

export interface AddressPage {
  addresses: Address[]
  total: number
  hasMore: boolean
}

/** Newest first. */
export async function listAddresses(db: Database, owner: Owner, filter: AddressFilter): Promise<AddressPage> {
  const now = db.now()
  const values = { ...owner, ...pageValues(filter), now }
  const [page, counts] = await Promise.all([pages[filter.status ?? 'any'](db, values), selectTotals(db, values)])
  const { rows, hasMore } = cutPage(page.rows, filter)
  const { total, active } = counts.rows[0] ?? { total: 0, active: 0 }
  return {
    addresses: rows.map((row) => toAddress(row, now)),
    total: filter.status === 'active' ? active : filter.status === 'expired' ? total - active : total,
    hasMore,
  }
}

type ListValues = Owner & { now: number, limit: number, offset: number, before: string }

const selectOwned = (sql: Kysely<Schema>, value: Value<ListValues>) => sql.selectFrom('addresses')
  .$call(ownedBy(value, 'addresses'))

/** Literals, not bound values: SQLite uses a partial index only for a literal. */
const [yes, no] = [raw.lit<Bit>(1), raw.lit<Bit>(0)]

/** Maximum due addresses that a list of expired ones reads: there are more only after the server was stopped for long. */
const maxDue = 10_000

/** Addresses past their expiry that their job has not marked as expired yet; usually none. */
const selectDue = (sql: Kysely<Schema>, value: Value<ListValues>) => selectOwned(sql, value)
  .where('is_expired', '=', no).where('is_bound', '=', yes).where('expires_at', '<=', value('now'))

const selectOlder = (sql: Kysely<Schema>, value: Value<ListValues>) => selectOwned(sql, value).select('id').where('id', '<', value('before'))

/**
 * Each part of a page is a range of an index, in the order of the ids. `hasDomain` excludes addresses whose `is_bound` is not updated yet
 * (`domain/domain-addresses.ts`).
 */
const pages = {
  any: preparePage(selectOlder),
  active: preparePage((sql, value) => selectOlder(sql, value).where('is_expired', '=', no).where('is_bound', '=', yes)
    .where('expires_at', '>', value('now')).where(hasDomain)),
  expired: preparePage((sql, value) => selectOlder(sql, value).where('is_expired', '=', yes)
    .unionAll(selectOlder(sql, value).where('is_expired', '=', no).where('is_bound', '=', no).where((row) => row.not(hasDomain(row))))
    .unionAll(sql.selectFrom(selectDue(sql, value).select('id').limit(raw.lit(maxDue)).as('due')).select('id').where('id', '<', value('before')))),
}

function preparePage(ids: (sql: Kysely<Schema>, value: Value<ListValues>) => SelectQueryBuilder<Schema, 'addresses', { id: string }>) {
  return prepared<ListValues, ListedRow>((sql, value) => selectAddresses(sql)
    .where('id', 'in', ids(sql, value).orderBy('id', 'desc').limit(value('limit')).offset(value('offset')))
    .orderBy('id', 'desc'))
}

/** The kept counters; due addresses do not count as active. */
const selectTotals = prepared<ListValues, { total: number, active: number }>((sql, value) => sql.selectFrom('totals')
  .select('addresses as total')
  .select((row) => row('active_addresses', '-', selectDue(sql, value).select(({ fn }) => fn.countAll<number>().as('n'))).as('active'))
  .$call(ownedBy(value)))
