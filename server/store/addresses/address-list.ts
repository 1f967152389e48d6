import { sql as raw } from 'kysely'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Address } from '../../contract/types.gen.ts'
import { prepared } from '../changes/prepared.ts'
import type { Value } from '../changes/prepared.ts'
import type { Database } from '../database.ts'
import { ownedBy } from '../owner.ts'
import { cutPage, pageValues } from '../page.ts'
import type { Page, PageValues } from '../page.ts'
import type { Schema } from '../schema/schema.ts'
import type { Bit, Owner } from '../schema/values.ts'
import { hasDomain, selectAddresses, toAddress } from './addresses.ts'
import type { ListedRow } from './addresses.ts'

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
  const pages = db.engine.mergesUnions ? mergedPages : limitedPages
  const [page, counts] = await Promise.all([pages[filter.status ?? 'any'](db, values), (owner.bound ? selectTotalsWithin : selectTotals)(db, values)])
  const { rows, hasMore } = cutPage(page.rows, filter)
  const { total, active } = counts.rows[0] ?? { total: 0, active: 0 }
  return {
    addresses: rows.map((row) => toAddress(row, now)),
    total: filter.status === 'active' ? active : filter.status === 'expired' ? total - active : total,
    hasMore,
  }
}

type ListValues = Owner & PageValues & { now: number }

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

type IdsQuery = SelectQueryBuilder<Schema, 'addresses', { id: string }>
type Ids = (sql: Kysely<Schema>, value: Value<ListValues>) => IdsQuery

/**
 * The parts of a page, each a range of an index, in the order of the ids. `hasDomain` excludes addresses whose `is_bound` is not updated
 * yet (`domain/domains.ts`).
 */
const parts: Record<'any' | 'active' | 'expired', Ids[]> = {
  any: [selectOlder],
  active: [(sql, value) => selectOlder(sql, value).where('is_expired', '=', no).where('is_bound', '=', yes)
    .where('expires_at', '>', value('now')).where(hasDomain)],
  expired: [
    (sql, value) => selectOlder(sql, value).where('is_expired', '=', yes),
    (sql, value) => selectOlder(sql, value).where('is_expired', '=', no).where('is_bound', '=', no).where((row) => row.not(hasDomain(row))),
    (sql, value) => sql.selectFrom(selectDue(sql, value).select('id').limit(raw.lit(maxDue)).as('due')).select('id')
      .where('id', '<', value('before')) as unknown as IdsQuery, // its only column is an id too
  ],
}

/** The first rows of a part: see `mergesUnions` of the engine. */
const newestOf = (part: Ids): Ids => (sql, value) =>
  sql.selectFrom(part(sql, value).orderBy('id', 'desc').limit(value('end')).as('addresses')).select('id')

const mergedPages = preparePages((part) => part)
const limitedPages = preparePages(newestOf)

function preparePages(read: (part: Ids) => Ids) {
  const pageOf = ([first, ...others]: Ids[]) => prepared<ListValues, ListedRow>((sql, value) => {
    const ids = others.reduce((all, part) => all.unionAll(read(part)(sql, value)), read(first!)(sql, value))
    return selectAddresses(sql)
      .where('id', 'in', ids.orderBy('id', 'desc').limit(value('limit')).offset(value('offset')))
      .orderBy('id', 'desc')
  })
  return { any: pageOf(parts.any), active: pageOf(parts.active), expired: pageOf(parts.expired) }
}

/** As `selectTotals`, for a part of the addresses, which are counted. */
const selectTotalsWithin = prepared<ListValues, { total: number, active: number }>((sql, value) => selectOwned(sql, value)
  .select(({ fn }) => [
    fn.countAll<number>().as('total'),
    fn.countAll<number>().filterWhere('expires_at', '>', value('now')).filterWhere(hasDomain).as('active'),
  ]))

/** The kept counters; due addresses do not count as active. */
const selectTotals = prepared<ListValues, { total: number, active: number }>((sql, value) => sql.selectFrom('totals')
  .select('addresses as total')
  .select((row) => row('active_addresses', '-', selectDue(sql, value).select(({ fn }) => fn.countAll<number>().as('n'))).as('active'))
  .$call(ownedBy(value)))
