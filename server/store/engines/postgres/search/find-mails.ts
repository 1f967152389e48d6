import type { Queries } from '../../../connection.ts'
import type { FoundIds, FoundPage, TermSearch } from '../../../engine.ts'
import { minIdAfter } from '../../../mail/arrivals.ts'
import { unbound } from '../../../owner.ts'
import { afterAllIds, higher, lower, maxCounted } from '../../../page.ts'
import { minNumber, readBuckets } from './buckets.ts'
import type { Bucket } from './buckets.ts'
import { arrayLiteral, keysOf, keysOfEachMail } from './term-keys.ts'

/** Buckets of the largest query. Each takes some 10 µs for a word that it does not have. */
const maxBucketsAtOnce = 256

/** Reads the newest buckets first. */
export async function findMails(at: Queries, search: TermSearch, page: FoundPage): Promise<FoundIds> {
  const buckets = (await readBuckets(at, search.ownerNumber)).reverse()
  const query = await toQuery(at, search)
  if (!query) return { ids: [], total: 0 }
  const { limit, offset, before, isCounted } = page
  const ids = await findIds(at, query, buckets, page)
  if (!isCounted) return { ids, total: 0 }
  const isLast = ids.length <= limit && (ids.length > 0 || offset === 0) && before === undefined
  return { ids, total: isLast ? Math.min(maxCounted, offset + ids.length) : await countMails(at, query, buckets) }
}

/** The keys of the terms in a bucket, and the values of the queries after them. */
interface KeyQuery {
  /** Of the terms that mails have, then those of each list of excluded ones. */
  keysIn: ((bucket: number) => bigint[])[]
  min: number
  max: number
  values(before?: string): unknown[]
  sql: ReturnType<typeof sqlOf>
}

/** @returns undefined when no mail is late enough */
async function toQuery(at: Queries, search: TermSearch): Promise<KeyQuery | undefined> {
  const { ownerNumber, isDeleted, terms, excluded, from = '', until = afterAllIds } = search
  const after = await idBefore(at, search)
  if (after === undefined) return undefined
  const begin = higher(after, from)
  return {
    keysIn: [terms.length > 0 ? keysOf(terms) : keysOfEachMail, ...excluded.map(keysOf)]
      .map((keys) => (bucket) => keys({ ownerNumber, isDeleted, bucket })),
    min: begin === '' ? 0 : minNumber(begin),
    max: until === afterAllIds ? Number.MAX_SAFE_INTEGER : minNumber(until),
    values: (before = afterAllIds) => [ownerNumber, isDeleted ? 1 : 0, begin, lower(before, until)],
    sql: sqlFor(terms.length === 0, excluded.length),
  }
}

/** A text before the ids of all mail after the position, but also of some before it, which arrived later than it was published. */
async function idBefore(at: Queries, { after = { id: '' }, isDeleted, ...owner }: TermSearch): Promise<string | undefined> {
  return 'id' in after ? after.id : (await minIdAfter(at, unbound(owner), { seq: after.seq, isDeleted }))?.slice(0, -1)
}

/** Up to `limit` + 1 of them. */
async function findIds(at: Queries, query: KeyQuery, buckets: Bucket[], { before, limit, offset }: FoundPage): Promise<string[]> {
  const max = Math.min(before === undefined ? Number.MAX_SAFE_INTEGER : minNumber(before), query.max)
  const inRange = buckets.filter(({ first, last }) => last >= query.min && first <= max)
  const start = await skip(at, query, inRange, { before, offset })
  const ids: string[] = []
  for (const { keys } of growing(query, start.buckets)) {
    const skipped = ids.length === 0 ? start.offset : 0
    const { rows } = await at.execute(query.sql.page, [...query.values(before), skipped + limit + 1 - ids.length, ...keys, skipped])
    ids.push(...(rows as { email_id: string }[]).map((row) => row.email_id))
    if (ids.length > limit) break
  }
  return ids
}

/** Skips the buckets before the one with the mail at an offset. @returns the others, and the offset among them */
async function skip(at: Queries, query: KeyQuery, buckets: Bucket[], { before, offset }: Pick<FoundPage, 'before' | 'offset'>) {
  if (offset === 0) return { buckets, offset }
  let left = offset
  for (const { keys, from } of growing(query, buckets)) {
    const { rows } = await at.execute(query.sql.count, [...query.values(before), Number.MAX_SAFE_INTEGER, ...keys])
    for (const [i, { n }] of (rows as { n: number }[]).entries()) {
      if (n > left) return { buckets: from.slice(i), offset: left }
      left -= n
    }
  }
  return { buckets: [], offset: 0 }
}

async function countMails(at: Queries, query: KeyQuery, buckets: Bucket[]): Promise<number> {
  let total = 0
  for (const { keys } of growing(query, buckets.filter(({ first, last }) => last >= query.min && first <= query.max))) {
    const { rows } = await at.execute(query.sql.count, [...query.values(), maxCounted, ...keys])
    for (const { n } of rows as { n: number }[]) total += n
    if (total >= maxCounted) return maxCounted
  }
  return total
}

/**
 * Yields the keys of the first bucket, of the next two, four, …, up to `maxBucketsAtOnce`, with all buckets from there on: a rare word
 * takes few queries, a frequent one reads one bucket.
 */
function* growing(query: KeyQuery, buckets: Bucket[]): Generator<{ keys: string[][], from: Bucket[] }> {
  let from = buckets
  for (let count = 1; from.length > 0; count = Math.min(2 * count, maxBucketsAtOnce)) {
    yield { keys: query.keysIn.map((keysIn) => from.slice(0, count).map(({ bucket }) => arrayLiteral(keysIn(bucket)))), from }
    from = from.slice(count)
  }
}

/**
 * Values: the owner's number, `is_deleted`, the id before the first, the id after the last, a limit, and the keys of each bucket: of the
 * terms, and of each list of excluded ones. A page has an offset after them.
 * @param isOfAll whether mails with any of the keys are found, in place of those with all of them
 */
function sqlOf(isOfAll: boolean, lists: number) {
  const having = (condition: string) => `select email_id from email_search where ${condition} and owner_number = $1 and is_deleted = $2
    and email_id > $3 and email_id < $4 and address_id not in (select address_id from removed_mailboxes)`
  const names = Array.from({ length: lists }, (_, i) => `excluded${i}`)
  // each list is looked up in the index, as the keys of a row take long to read
  const excluded = names.map((name) => ` except ${having(`keys @> bucket.${name}::bigint[]`)}`).join('')
  const found = `(${having(`keys ${isOfAll ? '&&' : '@>'} bucket.keys::bigint[]`)}${excluded})`
  const arrays = ['', ...names].map((_, i) => `$${6 + i}::text[]`).join(', ')
  const eachBucket = `from unnest(${arrays}) with ordinality as bucket (${['keys', ...names, 'position'].join(', ')})`
  return {
    page: `select found.email_id ${eachBucket}
      cross join lateral (select email_id from ${found} mails order by email_id desc limit $5::bigint) found
      order by position, email_id desc limit $5::bigint - $${7 + lists}::bigint offset $${7 + lists}::bigint`,
    /** The number of mails in each bucket, up to the limit. */
    count: `select found.n ${eachBucket}
      cross join lateral (select count(*) as n from (select from ${found} matching limit $5::bigint) mails) found
      order by position`,
  }
}

const known = new Map<string, ReturnType<typeof sqlOf>>()

function sqlFor(isOfAll: boolean, lists: number): ReturnType<typeof sqlOf> {
  const name = `${isOfAll}/${lists}`
  const sql = known.get(name) ?? sqlOf(isOfAll, lists)
  known.set(name, sql)
  return sql
}
