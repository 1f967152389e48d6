import type { IndexedMail, SearchIndex, Tx } from '../../../engine.ts'

import { chooseBuckets } from './buckets.ts'
import { findMails } from './find-mails.ts'
import { postgresLocks } from '../locks.ts'
import { arrayLiteral, keysOf } from './term-keys.ts'
import type { Tenant } from '../../../schema/values.ts'

/** With the numbers of mails, as each mail had one before `keyByIdSql`. */
const unindexNumber = (email: string) =>
  `delete from email_search where number = (select number from email_search_rows where email_id = ${email}.id);`
const unindex = (email: string) => `delete from email_search where email_id = ${email}.id;`
const queueRow = (email: string) => `insert into email_search_pending (account_id, mode, email_id)
    values (${email}.account_id, ${email}.mode, ${email}.id) on conflict do nothing;`
const unqueueRow = (email: string) =>
  `delete from email_search_pending where account_id = ${email}.account_id and mode = ${email}.mode and email_id = ${email}.id;`

const createFunction = (name: string, statements: string) =>
  `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${statements} return null; end $$`

/** A function of a trigger, with its name, and the trigger. */
const onEmails = (name: string, event: string, statements: string) => [
  createFunction(name, statements),
  `create trigger ${name} after ${event} execute function ${name}()`,
]

/**
 * A row for each indexed mail, with all that a search compares, so that it reads no other table. The keys of terms (`term-keys.ts`) are
 * stored apart from a row of more than 2 kB, the least length that PostgreSQL divides: a search reads the rows of up to some 2,000 mails of
 * a bucket, and compares keys in the index alone.
 */
const createSql = [
  `create table email_search (
    number bigint primary key,
    owner_number bigint not null,
    is_deleted integer not null,
    email_id text collate "C" not null,
    address_id text collate "C" not null,
    keys bigint[] not null
  ) with (toast_tuple_target = 128)`,
  'alter table email_search alter column keys set storage external', // hashes cannot be compressed
  'alter table email_search alter column keys set statistics 0', // no plan depends on them, and they take long to read
  // the list of new keys is short: each search reads it whole
  `create index email_search_by_keys on email_search using gin (keys) with (fastupdate = on, gin_pending_list_limit = 256)`,
  // the mails of an owner by their numbers, some 2,048 a bucket; see buckets.ts
  `create table email_search_buckets (
    owner_number bigint not null,
    bucket integer not null,
    first bigint not null,
    last bigint not null,
    mails integer not null,
    primary key (owner_number, bucket)
  )`,
  ...onEmails('email_search_insert', 'insert on emails for each row', queueRow('new')),
  ...onEmails('email_search_move', 'update of is_deleted on emails for each row when (new.is_deleted <> old.is_deleted)',
    `${unindexNumber('new')} ${queueRow('new')}`),
  ...onEmails('email_search_delete', 'delete on emails for each row', `
    ${unindexNumber('old')}
    delete from email_search_rows where email_id = old.id;
    ${unqueueRow('old')}`),
]

/**
 * Statements that make the id of a mail its key: its number, which no two mails shared, was given by one node at a time. The planner cannot
 * read a range of ids from an index of hashes, so it reads the keys of terms.
 */
const keyByIdSql = [
  'alter table email_search drop column number',
  'create index email_search_by_id on email_search using hash (email_id)',
  createFunction('email_search_move', `${unindex('new')} ${queueRow('new')}`),
  createFunction('email_search_delete', `${unindex('old')} ${unqueueRow('old')}`),
  'drop table email_search_rows',
]

/** Not used since `numberByCommitSql`. */
const createBitmapsSql = [
  'alter table email_search_buckets add column has_bitmaps integer not null default 0',
  `create table email_search_key_bitmaps (
    owner_number bigint not null,
    bucket integer not null,
    key bigint not null,
    bits bit(2048) not null,
    primary key (owner_number, bucket, key),
    foreign key (owner_number, bucket) references email_search_buckets on delete cascade
  )`,
  'create index email_search_key_bitmaps_by_key on email_search_key_bitmaps (key)',
]

/** The nodes of the version before may make bitmaps again until they end; nothing reads them then. */
const numberByCommitSql = ['delete from email_search_key_bitmaps', 'update email_search_buckets set has_bitmaps = 0 where has_bitmaps = 1']

/**
 * A GIN index of the terms of each mail, as numbers. GIN cannot read newest first, so the key of a term contains its bucket: each key finds
 * at most some 2,048 mails.
 */
export const postgresSearch: SearchIndex = {
  createSql,
  keyByIdSql,
  createBitmapsSql,
  numberByCommitSql,
  locks: {
    lockOwners,
    async lockMailsForShare(tx, emailIds) {
      await tx.execute('select from emails where id = any($1::text[]) order by id for share', [emailIds])
    },
  },
  async add(tx, mails) {
    for (const ofOwner of Object.values(Object.groupBy(mails, ({ ownerNumber }) => ownerNumber))) await addMails(tx, ofOwner!)
  },
  find: findMails,
  async removeDataOf(tx, ownerNumber, limit) {
    const { numAffectedRows = 0n } = await tx.execute(deleteSomeSql, [ownerNumber, limit])
    return numAffectedRows > 0n
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

const deleteSomeSql =
  'delete from email_search_buckets where ctid = any(array(select ctid from email_search_buckets where owner_number = $1 limit $2))'

async function lockOwners(tx: Tx, owners: Tenant[]): Promise<void> {
  const names = new Set(owners.map(({ accountId, mode }) => `search of ${accountId}/${mode}`))
  // in one order, against deadlocks
  for (const name of [...names].sort()) await postgresLocks.lockName(tx, name)
}
