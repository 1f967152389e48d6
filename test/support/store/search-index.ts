import { inTransaction } from '../../../server/store/database.ts'
import type { Tx } from '../../../server/store/database.ts'
import type { Owner } from '../../../server/store/schema/values.ts'
import { openIndexer } from '../../../server/store/search/search-index.ts'
import { findSummaries } from '../../../server/store/mail/email-list.ts'
import { parseSearch } from '../../../server/store/search/search-query.ts'
import { searchIndex } from '../../../server/store/search/search.ts'
import type { TestApp } from '../app.ts'
import { ownerOf } from './accounts.ts'
import { testEngineOf } from './engines.ts'
import { holdTransaction } from './faults.ts'
import { rawSql } from './raw-sql.ts'
import { countRows } from './rows.ts'
import { withDatabase } from './with-database.ts'

/** Waits until no mail waits for the index. */
export async function indexed(app: TestApp): Promise<void> {
  while (await countRows(app, 'email_search_pending') > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Mails in the index itself: the different numbers of its tables, one where they agree. */
export async function indexRows({ app: { db } }: TestApp): Promise<number[]> {
  const counts = testEngineOf(db).indexedMails.map((table) => rawSql<{ n: number }>(db, `select count(*) as n from ${table}`))
  return [...new Set((await Promise.all(counts)).map(([row]) => row!.n))]
}

/** Leaves all mails out of the index, as a version without an index has stored them: their rows there are kept. */
export async function clearIndex({ app }: TestApp): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await rawSql(tx, testEngineOf(app.db).emptyIndex)
    await queueAll(tx)
  })
}

/** Marks all mails of a database as not indexed. */
export const indexAgain = (database: string): Promise<void> => withDatabase(database, (db) => inTransaction(db, async (tx) => {
  await rawSql(tx, testEngineOf(db).emptyIndex)
  await tx.sql.deleteFrom('email_search_pending').execute()
  await queueAll(tx)
}))

const queueAll = (tx: Tx) => tx.sql.insertInto('email_search_pending').columns(['account_id', 'mode', 'email_id'])
  .expression(tx.sql.selectFrom('emails').select(['account_id', 'mode', 'id'])).execute()

/** How often each pending mail of a database was tried, the largest number first. */
export const indexAttempts = (database: string): Promise<number[]> => withDatabase(database, async ({ sql }) =>
  (await sql.selectFrom('email_search_pending').select('attempts').orderBy('attempts', 'desc').execute()).map(({ attempts }) => attempts))

/** The address of each pending mail of a database. */
export const pendingMailboxes = (database: string): Promise<string[]> => withDatabase(database, async ({ sql }) => {
  const rows = await sql.selectFrom('email_search_pending').innerJoin('emails', 'emails.id', 'email_id').select('address_id').execute()
  return rows.map((row) => row.address_id)
})

type Indexer = ReturnType<typeof openIndexer>
type FindSubjects = (owner: Owner, q: string) => Promise<string[]>

/** Indexes mails of a database that no server has open. `use` also gets a search, which returns subjects. */
export function withIndexer<T>(database: string, use: (index: Indexer, find: FindSubjects) => Promise<T>): Promise<T> {
  return withDatabase(database, (db) => use(openIndexer(db), async (owner, q) => {
    const { ids } = await searchIndex(db, { owner, query: parseSearch(q), filter: { isDeleted: false, limit: 20, offset: 0 } })
    return (await findSummaries(db, ids)).map(({ subject }) => subject)
  }))
}

/** Waits until a number of mails are being indexed. */
export async function indexing({ app }: TestApp, mails: number): Promise<void> {
  const begun = () => app.db.sql.selectFrom('email_search_pending').select('email_id').where('attempts', '>', 0).execute()
  while ((await begun()).length < mails) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Adds the mails of the owner of a key to the index, as another node, until the returned function is called. */
export async function holdIndexOf(app: TestApp, key = app.key): Promise<() => Promise<void>> {
  const owner = await ownerOf(app, key)
  return holdTransaction(app.app.config.database, async (tx) => {
    await rawSql(tx, 'set local idle_in_transaction_session_timeout = 0')
    await tx.engine.search.locks!.lockOwners(tx, [owner])
  })
}

/** Indexes all mails of a database by several processes at once. @returns the ids that each has added */
export async function indexTogether(database: string, processes: number): Promise<string[][]> {
  return Promise.all(Array.from({ length: processes }, () => withDatabase(database, async (db) => {
    const added: string[] = []
    const index = openIndexer(db, { record: ({ id }) => added.push(id) })
    while (await index({ limit: 8 }) > 0) { /* until none is left */ }
    return added
  })))
}

/** @throws Error when the index is damaged */
export const checkIndex = (database: string): Promise<void> => withDatabase(database, (db) => inTransaction(db, async (tx) => {
  for (const statement of testEngineOf(db).checkIndex) await rawSql(tx, statement)
}))
