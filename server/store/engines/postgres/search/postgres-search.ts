import type { Tx } from '../../../changes/queries.ts'
import type { IndexedMail, SearchIndex } from '../../../engine.ts'
import { createBitmapsSql, openBitmapBuilder } from './bitmaps.ts'
import { chooseBuckets } from './buckets.ts'
import { createSql, keyByIdSql } from './create-sql.ts'
import { findMails } from './find-mails.ts'
import { lockOwners } from './owner-locks.ts'
import { arrayLiteral, keysOf } from './term-keys.ts'

/**
 * A GIN index of the terms of each mail, as numbers. GIN cannot read newest first, so the key of a term contains its bucket: each key finds
 * at most some 2,048 mails.
 */
export const postgresSearch: SearchIndex = {
  createSql,
  keyByIdSql,
  createBitmapsSql,
  locks: {
    lockOwners,
    async keepMails(tx, emailIds) {
      await tx.execute('select from emails where id = any($1::text[]) order by id for share', [emailIds])
    },
  },
  async add(tx, mails) {
    for (const ofOwner of Object.values(Object.groupBy(mails, ({ ownerNumber }) => ownerNumber))) await addMails(tx, ofOwner!)
  },
  find: findMails,
  openMaintenance: openBitmapBuilder,
  async removeDataOf(tx, ownerNumber, limit) {
    // bitmaps first: a bucket removes all of its bitmaps with it, beyond the limit
    for (const table of ['email_search_key_bitmaps', 'email_search_buckets']) {
      const { numAffectedRows = 0n } = await tx.execute(deleteSomeSql(table), [ownerNumber, limit])
      if (numAffectedRows > 0n) return true
    }
    return false
  },
}

/** Mails of one owner. */
async function addMails(tx: Tx, mails: IndexedMail[]) {
  const { owner, ownerNumber } = mails[0]!
  const buckets = await chooseBuckets(tx, { ...owner, ownerNumber }, mails)
  await tx.execute(insertSql, [
    ownerNumber,
    mails.map(({ isDeleted }) => isDeleted ? 1 : 0),
    mails.map(({ id }) => id),
    mails.map(({ addressId }) => addressId),
    mails.map(({ terms, isDeleted }, i) => arrayLiteral(keysOf(terms)({ ownerNumber, isDeleted, bucket: buckets[i]!.bucket }))),
  ])
}

const insertSql = `insert into email_search (owner_number, is_deleted, email_id, address_id, keys)
  select $1::bigint, is_deleted, email_id, address_id, keys::bigint[]
  from unnest($2::integer[], $3::text[], $4::text[], $5::text[]) as mail (is_deleted, email_id, address_id, keys)`

const deleteSomeSql = (table: string) =>
  `delete from ${table} where ctid = any(array(select ctid from ${table} where owner_number = $1 limit $2))`
