import type { Queries } from '../../../connection.ts'
import type { FoundIds, FoundPage, TermSearch } from '../../../engine.ts'
import { minIdAfter } from '../../../mail/arrivals.ts'
import { afterAllIds, maxCounted } from '../../../page.ts'
import { minNumber, readBuckets } from './buckets.ts'
import type { Bucket } from './buckets.ts'
import { arrayLiteral, keysOf } from './term-keys.ts'

/** Buckets of the largest query. Each takes some 10 µs for a word that it does not have. */
const maxBucketsAtOnce = 256

/** Reads the newest buckets first. */
export async function findMails(at: Queries, search: TermSearch, page: FoundPage): Promise<FoundIds> {
  const buckets = (await readBuckets(at, search.ownerNumber)).reverse()
  const query = await toQuery(at, search)
  if (!query) return { ids: [], total: 0 }
  const { limit, offset, before } = page
  const ids = await findIds(at, query, buckets, page)
  const isLast = ids.length <= limit && (ids.length > 0 || offset === 0) && before === undefined
  return { ids, total: isLast ? Math.min(maxCounted, offset + ids.length) : await countMails(at, query, buckets) }
}

/** The keys of the terms in a bucket, and the values of the queries after them. */
interface KeyQuery {
  keysIn(bucket: number): bigint[]
  min: number
  values(before?: string): unknown[]
}

/** @returns undefined when no mail is late enough */
async function toQuery(at: Queries, search: TermSearch): Promise<KeyQuery | undefined> {
  const { ownerNumber, isDeleted, terms } = search
  const keys = keysOf(terms)
  const after = await idBefore(at, search)
  return after === undefined ? undefined : {
    keysIn: (bucket) => keys({ ownerNumber, isDeleted, bucket }),
    min: after === '' ? 0 : minNumber(after),
    values: (before = afterAllIds) => [ownerNumber, isDeleted ? 1 : 0, after, before],
  }
}

/** A text before the ids of all mail after the position, but also of some before it, which arrived later than it was published. */
async function idBefore(at: Queries, { after = { id: '' }, isDeleted, ...owner }: TermSearch): Promise<string | undefined> {
  return 'id' in after ? after.id : (await minIdAfter(at, owner, { seq: after.seq, isDeleted }))?.slice(0, -1)
}

/** Up to `limit` + 1 of them. */
async function findIds(at: Queries, query: KeyQuery, buckets: Bucket[], { before, limit, offset }: FoundPage): Promise<string[]> {
  const max = before === undefined ? Number.MAX_SAFE_INTEGER : minNumber(before)
  const inRange = buckets.filter(({ first, last }) => last >= query.min && first <= max)
  const start = await skip(at, query, inRange, { before, offset })
  const ids: string[] = []
  for (const { keys } of growing(query, start.buckets)) {
    const skipped = ids.length === 0 ? start.offset : 0
    const { rows } = await at.execute(pageSql, [keys, ...query.values(before), skipped + limit + 1 - ids.length, skipped])
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
    const { rows } = await at.execute(countSql, [keys, ...query.values(before), Number.MAX_SAFE_INTEGER])
    for (const [i, { n }] of (rows as { n: number }[]).entries()) {
      if (n > left) return { buckets: from.slice(i), offset: left }
      left -= n
    }
  }
  return { buckets: [], offset: 0 }
}

async function countMails(at: Queries, query: KeyQuery, buckets: Bucket[]): Promise<number> {
  let total = 0
  for (const { keys } of growing(query, buckets.filter(({ last }) => last >= query.min))) {
    const { rows } = await at.execute(countSql, [keys, ...query.values(), maxCounted])
    for (const { n } of rows as { n: number }[]) total += n
    if (total >= maxCounted) return maxCounted
  }
  return total
}

/**
 * Yields the keys of the first bucket, of the next two, four, …, up to `maxBucketsAtOnce`, with all buckets from there on: a rare word
 * takes few queries, a frequent one reads one bucket.
 */
function* growing(query: KeyQuery, buckets: Bucket[]): Generator<{ keys: string[], from: Bucket[] }> {
  let from = buckets
  for (let count = 1; from.length > 0; count = Math.min(2 * count, maxBucketsAtOnce)) {
    yield { keys: from.slice(0, count).map(({ bucket }) => arrayLiteral(query.keysIn(bucket))), from }
    from = from.slice(count)
  }
}

/**
 * Values: keys of each bucket, the owner's number, `is_deleted`, the id before the first, the id after the last.
 */
const found = `email_search where keys @> bucket.keys::bigint[] and owner_number = $2 and is_deleted = $3
    and email_id > $4 and email_id < $5 and address_id not in (select address_id from removed_mailboxes)`

const eachBucket = 'from unnest($1::text[]) with ordinality as bucket (keys, position)'

/** Further values: limit, offset. */
const pageSql = `select found.email_id ${eachBucket}
  cross join lateral (select email_id from ${found} order by email_id desc limit $6::bigint) found
  order by position, email_id desc limit $6::bigint - $7::bigint offset $7::bigint`

/** The number of mails in each bucket. Further value: maximum of each. */
const countSql = `select found.n ${eachBucket}
  cross join lateral (select count(*) as n from (select from ${found} limit $6::bigint) mails) found
  order by position`
