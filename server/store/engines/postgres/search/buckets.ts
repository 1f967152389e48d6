import { idBoundary } from '../../../../ids.ts'
import type { Queries } from '../../../connection.ts'
import type { IndexedMail, Tx } from '../../../engine.ts'
import type { Tenant } from '../../../schema/values.ts'
import { arrayLiteral, keysOfEachMail } from './term-keys.ts'

/**
 * Buckets divide the mails of an owner by the numbers of their times, so that a search reads the newest ones first, and stops when its page
 * is full. Their ranges do not overlap, so mails of the same millisecond are in one bucket.
 */
export interface Bucket {
  bucket: number
  /** The lowest and the highest number that a mail of the bucket has had. */
  first: number
  last: number
  /** Mails that were added. */
  mails: number
}

/** Mails of a bucket, except mails that come late. */
const mailsPerBucket = 2_048
/** Buckets that are checked when a new one begins: those of removed mail do not remain. */
const checkedBuckets = 16

/** The buckets of an owner, oldest first. */
export async function readBuckets(at: Queries, ownerNumber: number): Promise<Bucket[]> {
  const { rows } = await at.execute(selectSql, [ownerNumber])
  return rows
}

/** Chooses a bucket for each of the mails of one owner. @returns in the order of the mails */
export async function chooseBuckets(tx: Tx, owner: Tenant & { ownerNumber: number }, mails: IndexedMail[]): Promise<Bucket[]> {
  const buckets = await readBuckets(tx, owner.ownerNumber)
  const before = buckets.length
  const numbers = new Map(mails.map((mail) => [mail, minNumber(mail.id)]))
  const sorted = [...numbers].sort(([, a], [, b]) => a - b)
  const range = rangeAround(buckets, [sorted[0]![1], sorted.at(-1)![1]])
  const waiting = await countWaiting(tx, owner, range)
  const chosen = new Map<IndexedMail, Bucket>()
  for (const [mail, number] of sorted) {
    const bucket = await chooseBucket(tx, { ...owner, waiting }, buckets, number)
    bucket.mails++
    chosen.set(mail, bucket)
  }
  const changed = [...new Set(chosen.values())]
  const column = (name: keyof Bucket) => arrayLiteral(changed.map((each) => each[name]))
  await tx.execute(upsertSql, [owner.ownerNumber, column('bucket'), column('first'), column('last'), column('mails')])
  if (buckets.length > before) await removeEmpty(tx, owner.ownerNumber, buckets.filter((each) => !changed.includes(each)))
  return mails.map((mail) => chosen.get(mail)!)
}

/** An owner, with the number of its mails that wait around those that are added. */
type OwnerAndWaiting = Tenant & { waiting: number }

/** @returns the bucket whose range includes the number; if there is none, one whose range can grow to include it, or a new one */
async function chooseBucket(tx: Tx, owner: OwnerAndWaiting, buckets: Bucket[], number: number): Promise<Bucket> {
  const after = buckets.findIndex(({ first }) => first > number)
  const at = after === -1 ? buckets.length : after
  const [older, newer] = [buckets[at - 1], buckets[at]]
  if (older && older.last >= number) return older
  if (older && await hasRoom(tx, owner, older, [older.last, number])) return Object.assign(older, { last: number })
  if (newer && await hasRoom(tx, owner, newer, [number, newer.first])) return Object.assign(newer, { first: number })
  const lastBucket = Math.max(0, ...buckets.map((each) => each.bucket))
  const bucket = { bucket: lastBucket + 1, first: number, last: number, mails: 0 }
  buckets.splice(at, 0, bucket)
  return bucket
}

/** Whether a bucket has room for another mail, and for those between that still wait: they will be in its range. */
async function hasRoom(tx: Tx, { waiting, ...owner }: OwnerAndWaiting, { mails }: Bucket, range: [number, number]): Promise<boolean> {
  if (mails + waiting < mailsPerBucket) return true // an upper bound, which saves the query
  return mails < mailsPerBucket && mails + await countWaiting(tx, owner, range) < mailsPerBucket
}

/** The number of mails of the owner that wait in a range, up to the size of a bucket. */
async function countWaiting(tx: Tx, { accountId, mode }: Tenant, [from, to]: [number, number]): Promise<number> {
  const ids = [idBoundary(timeOf(from)), idBoundary(timeOf(to) + 1)]
  const { rows: [row] } = await tx.execute(countWaitingSql, [accountId, mode, ...ids, mailsPerBucket])
  return (row as unknown as { n: number }).n
}

/**
 * From the end of the bucket before the lowest number to the beginning of the bucket after the highest: includes every range that `hasRoom`
 * counts for these numbers.
 */
function rangeAround(buckets: Bucket[], [lowest, highest]: [number, number]): [number, number] {
  return [
    buckets.findLast(({ first }) => first <= lowest)?.last ?? lowest,
    buckets.find(({ first }) => first > highest)?.first ?? highest,
  ]
}

/** Removes some of the buckets that have no mail any more: others with each new bucket. */
async function removeEmpty(tx: Tx, ownerNumber: number, buckets: Bucket[]) {
  const start = buckets.length > 0 ? buckets.at(-1)!.bucket * checkedBuckets % buckets.length : 0
  const checked = [...buckets.slice(start), ...buckets.slice(0, start)].slice(0, checkedBuckets)
  const keys = checked.map(({ bucket }) => [false, true].map((isDeleted) => keysOfEachMail({ ownerNumber, isDeleted, bucket })))
  await tx.execute(deleteEmptySql, [
    ownerNumber, arrayLiteral(checked.map(({ bucket }) => bucket)),
    keys.map(([present]) => arrayLiteral(present!)), keys.map(([, deleted]) => arrayLiteral(deleted!)),
  ])
}

const selectSql = 'select bucket, first, last, mails from email_search_buckets where owner_number = $1 order by first'

const upsertSql = `insert into email_search_buckets (owner_number, bucket, first, last, mails)
  select $1::bigint, * from unnest($2::integer[], $3::bigint[], $4::bigint[], $5::integer[])
  on conflict (owner_number, bucket) do update set first = excluded.first, last = excluded.last, mails = excluded.mails`

const countWaitingSql = `select count(*) as n from (select from email_search_pending
  where account_id = $1 and mode = $2 and email_id >= $3 and email_id < $4 limit $5) waiting`

const deleteEmptySql = `delete from email_search_buckets using unnest($2::integer[], $3::text[], $4::text[]) as checked (number, present, deleted)
  where owner_number = $1 and bucket = checked.number
    and not exists (select from email_search where keys && checked.present::bigint[] or keys && checked.deleted::bigint[])`

/** Milliseconds since 1970 from which numbers are counted, and numbers of each millisecond. */
const firstTimeMs = Date.UTC(2025, 0)
const numbersPerMs = 16

/** Characters at the start of an id that hold its millisecond. */
const timeLength = '019ceb93-01f0'.length

/** The lowest number that an email with this id may have: numbers increase with ids. */
export function minNumber(emailId: string): number {
  return Math.max(0, parseInt(emailId.slice(0, timeLength).replace('-', ''), 16) - firstTimeMs) * numbersPerMs
}

/** When the email of a number arrived, in milliseconds since 1970. */
const timeOf = (number: number) => firstTimeMs + Math.floor(number / numbersPerMs)
