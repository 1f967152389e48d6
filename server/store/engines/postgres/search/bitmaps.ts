import type { Queries, Tx } from '../../../changes/queries.ts'
import { arrayLiteral, keysOf } from './term-keys.ts'

/**
 * For each frequent key of a full bucket, a bitmap of the mails that have it. Where no mail has all of the keys, the bitmaps have no bit in
 * common, which takes far less time to find out than in the index: that reads an entry for each mail that has one of them.
 *
 * A mail that is removed keeps its bits, and mails beyond the bits of a map share them, so bits in common prove nothing. A mail that is
 * added to the bucket would lack its bits, so the bitmaps of the bucket are removed, and made again when a further bucket begins.
 */

/** Bits of a bitmap: the mails of a bucket, except mails that come late. */
const bits = 2_048
/** Bitmaps are made of keys that at least one in so many mails has. */
const maxMailsPerKey = 16

export const createBitmapsSql = [
  'alter table email_search_buckets add column has_bitmaps boolean not null default false',
  `create table email_search_bitmaps (
    owner_number bigint not null,
    bucket integer not null,
    key bigint not null,
    mails bit(${bits}) not null,
    primary key (owner_number, bucket, key),
    foreign key (owner_number, bucket) references email_search_buckets on delete cascade
  )`,
  'create index email_search_bitmaps_by_key on email_search_bitmaps (key)',
]

/** Makes the bitmaps of a bucket, which takes some 0.1 s. Mail that is deleted has none. */
export async function makeBitmaps(tx: Tx, ownerNumber: number, bucket: number): Promise<void> {
  const ofEachMail = keysOf(['@received', '@sent'])({ ownerNumber, isDeleted: false, bucket })
  await tx.execute(insertSql, [ownerNumber, bucket, arrayLiteral(ofEachMail)])
  await tx.execute('update email_search_buckets set has_bitmaps = true where owner_number = $1 and bucket = $2', [ownerNumber, bucket])
}

export async function removeBitmaps(tx: Tx, ownerNumber: number, buckets: number[]): Promise<void> {
  const values = [ownerNumber, arrayLiteral(buckets)]
  await tx.execute('delete from email_search_bitmaps where owner_number = $1 and bucket = any($2::integer[])', values)
  await tx.execute('update email_search_buckets set has_bitmaps = false where owner_number = $1 and bucket = any($2::integer[])', values)
}

/** @param keys of the same terms in several buckets @returns the buckets in which no mail has all of them, as far as bitmaps tell */
export async function bucketsWithoutAll(at: Queries, ownerNumber: number, keys: bigint[]): Promise<Set<number>> {
  const { rows } = await at.execute(selectSql, [ownerNumber, arrayLiteral(keys)])
  return new Set((rows as { bucket: number }[]).map(({ bucket }) => bucket))
}

/** Keys that all mails have exclude none. */
const insertSql = `with mails as materialized (
    select row_number() over () % ${bits} as place, keys from email_search where keys && $3::bigint[] and owner_number = $1 and is_deleted = 0
  ), frequent as (
    select key from mails, unnest(keys) as key group by key
    having count(*) >= (select count(*) from mails) / ${maxMailsPerKey} and count(*) < (select count(*) from mails)
  )
  insert into email_search_bitmaps (owner_number, bucket, key, mails)
  select $1::bigint, $2::integer, key, bit_or(set_bit(repeat('0', ${bits})::bit(${bits}), place::integer, 1))
  from mails, unnest(keys) as key where key in (select key from frequent) group by key`

const selectSql = `select bucket from email_search_bitmaps where owner_number = $1 and key = any($2::bigint[])
  group by bucket having bit_count(bit_and(mails)) = 0`
