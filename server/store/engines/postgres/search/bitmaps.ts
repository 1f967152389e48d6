import type { Queries } from '../../../connection.ts'
import type { SearchMaintenance, Transactions, Tx } from '../../../engine.ts'
import type { Owner } from '../../../schema/values.ts'
import { openOwnerChecks } from '../../../search/owner-checks.ts'
import { postgresLocks } from '../locks.ts'
import { arrayLiteral, keysOfEachMail } from './term-keys.ts'

/**
 * For each frequent key of a full bucket, a bitmap of the mails that have it. Where these have no bit in common, no mail has all keys of a
 * search (docs/decisions/0016). The index needs far longer to find that out: it reads an entry for each mail that has one of the keys.
 *
 * Bits in common prove nothing, since a mail that is removed keeps its bits, and after 2,048 mails several share a bit. A mail that is
 * added to the bucket would lack its bits: the bitmaps of the bucket are removed then, and made again by a later check of the owner.
 */

/** Mails of a bucket, except mails that come late: a bit for each. */
export const mailsPerBucket = 2_048
/** One of so many mails is in the sample in which keys are counted: to count those of all mails takes three times as long. */
const mailsPerSample = 8
/** Mails of the sample that must have a key for it to be frequent: some 128 mails of the bucket. The index reads fewer in little time. */
const minSampledMails = 16
/** Maximum bytes of the keys of a bucket with bitmaps. The bitmaps of a million keys take some 0.4 s. */
const maxKeyBytes = 8_000_000

export const createBitmapsSql = [
  'alter table email_search_buckets add column has_bitmaps integer not null default 0',
  `create table email_search_key_bitmaps (
    owner_number bigint not null,
    bucket integer not null,
    key bigint not null,
    bits bit(${mailsPerBucket}) not null,
    primary key (owner_number, bucket, key),
    foreign key (owner_number, bucket) references email_search_buckets on delete cascade
  )`,
  'create index email_search_key_bitmaps_by_key on email_search_key_bitmaps (key)',
]

/** Makes bitmaps for owners with many mails, one bucket a check. */
export function openBitmapBuilder(db: Transactions): SearchMaintenance {
  const checks = openOwnerChecks()
  let isClosed = false
  return {
    recordIndexed: checks.recordIndexed,
    isDue: checks.isDue,
    async run() {
      for (const { owner, ownerNumber } of checks.take()) {
        if (!isClosed) await db.commit((tx) => makeNextBitmaps(tx, owner, ownerNumber), { isAlone: true })
      }
    },
    close: () => { isClosed = true },
  }
}

/** Makes the bitmaps of the oldest full bucket that has none, except the newest bucket. Deleted mail has no bitmaps. */
async function makeNextBitmaps(tx: Tx, owner: Owner, ownerNumber: number): Promise<void> {
  await lockOwners(tx, [owner])
  const { rows: [full] } = await tx.execute(selectFullSql, [ownerNumber]) as { rows: { bucket: number }[] }
  if (!full) return
  const keys = keysOfEachMail({ ownerNumber, isDeleted: false, bucket: full.bucket })
  await tx.execute(insertSql, [ownerNumber, full.bucket, arrayLiteral(keys)])
  await tx.execute('update email_search_buckets set has_bitmaps = 1 where owner_number = $1 and bucket = $2', [ownerNumber, full.bucket])
}

export async function removeBitmaps(tx: Tx, ownerNumber: number, buckets: number[]): Promise<void> {
  const values = [ownerNumber, arrayLiteral(buckets)]
  await tx.execute('delete from email_search_key_bitmaps where owner_number = $1 and bucket = any($2::integer[])', values)
  await tx.execute('update email_search_buckets set has_bitmaps = 0 where owner_number = $1 and bucket = any($2::integer[])', values)
}

/** @param keys of the same terms in several buckets @returns buckets whose bitmaps have no bit in common: no mail there has all terms */
export async function findDisjointBuckets(at: Queries, ownerNumber: number, keys: bigint[]): Promise<number[]> {
  const { rows } = await at.execute(selectDisjointSql, [ownerNumber, arrayLiteral(keys)])
  return (rows as { bucket: number }[]).map(({ bucket }) => bucket)
}

/** The newest bucket still grows. A bucket that was closed early, for mails that wait, has fewer mails than the maximum. */
const selectFullSql = `select bucket from email_search_buckets where owner_number = $1 and has_bitmaps = 0 and mails >= ${mailsPerBucket / 2}
  and last < (select max(last) from email_search_buckets where owner_number = $1) order by first limit 1`

/** Keys of all mails are left out: their bitmaps would exclude no bucket. */
const insertSql = `with mails as materialized (
    select row_number() over () % ${mailsPerBucket} as place, sum(pg_column_size(keys)) over () as bytes, keys,
      hashtext(email_id) % ${mailsPerSample} = 0 as is_sample
    from email_search where keys && $3::bigint[] and owner_number = $1 and is_deleted = 0
  ), frequent as (
    select key from mails, unnest(keys) as key where is_sample and bytes <= ${maxKeyBytes} group by key
    having count(*) >= ${minSampledMails} and count(*) < (select count(*) from mails where is_sample)
  )
  insert into email_search_key_bitmaps (owner_number, bucket, key, bits)
  select $1::bigint, $2::integer, key, bit_or(set_bit(repeat('0', ${mailsPerBucket})::bit(${mailsPerBucket}), place::integer, 1))
  from mails, unnest(keys) as key where bytes <= ${maxKeyBytes} and key in (select key from frequent) group by key`

const selectDisjointSql = `select bucket from email_search_key_bitmaps where owner_number = $1 and key = any($2::bigint[])
  group by bucket having bit_count(bit_and(bits)) = 0`

export async function lockOwners(tx: Tx, owners: Owner[]): Promise<void> {
  const names = new Set(owners.map(({ accountId, mode }) => `search of ${accountId}/${mode}`))
  // in one order, against deadlocks
  for (const name of [...names].sort()) await postgresLocks.lockName(tx, name)
}
