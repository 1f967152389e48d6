import Sqlite from 'better-sqlite3'
import { systemClock } from '../../../server/clock.ts'
import { inTransaction, openDatabase } from '../../../server/store/database.ts'
import type { Owner } from '../../../server/store/owner.ts'
import { openIndexer } from '../../../server/store/search/search-index.ts'
import { searchEmails } from '../../../server/store/search/search.ts'
import type { TestApp } from '../app.ts'
import { countRows } from './rows.ts'
import { rowsNow } from './raw-sql.ts'

/** Waits until no mail waits for the index. */
export async function indexed(app: TestApp): Promise<void> {
  while (await countRows(app, 'email_search_pending') > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Mails in the index itself. */
export function indexRows({ app }: TestApp): number {
  return rowsNow<{ n: number }>(app.db, 'select count(*) as n from email_search_docsize')[0]!.n
}

/** Leaves all mails out of the index, as a version without an index has stored them: their rows there are kept. */
export async function clearIndex({ app }: TestApp): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await tx.execute('delete from email_search where rowid in (select number from email_search_rows)', [])
    await tx.sql.insertInto('email_search_pending').columns(['account_id', 'mode', 'email_id'])
      .expression(tx.sql.selectFrom('emails').select(['account_id', 'mode', 'id'])).execute()
  })
}

/** Marks all mails of a database as not indexed. */
export function indexAgain(database: string): void {
  const sqlite = new Sqlite(database)
  sqlite.exec(`begin immediate;
    delete from email_search where rowid in (select number from email_search_rows);
    delete from email_search_rows;
    delete from email_search_pending;
    insert into email_search_pending (account_id, mode, email_id) select account_id, mode, id from emails;
    commit`)
  sqlite.close()
}

/** How often each pending mail of a database was tried, the largest number first. */
export function indexAttempts(database: string): number[] {
  const sqlite = new Sqlite(database, { readonly: true })
  const attempts = sqlite.prepare('select attempts from email_search_pending order by attempts desc').pluck().all()
  sqlite.close()
  return attempts as number[]
}

/** The address of each pending mail of a database. */
export function pendingMailboxes(database: string): string[] {
  const sqlite = new Sqlite(database, { readonly: true })
  const addressIds = sqlite.prepare('select address_id from email_search_pending join emails on emails.id = email_id').pluck().all()
  sqlite.close()
  return addressIds as string[]
}

type Indexer = ReturnType<typeof openIndexer>
type FindSubjects = (owner: Owner, q: string) => Promise<string[]>

/** Indexes mails of a database that no server has open. `use` also gets a search, which returns subjects. */
export async function withIndexer<T>(database: string, use: (index: Indexer, find: FindSubjects) => Promise<T>): Promise<T> {
  const db = await openDatabase(database, systemClock)
  const find: FindSubjects = async (owner, q) => {
    const { emails } = await searchEmails(db, owner, q, { isDeleted: false, limit: 20, offset: 0 })
    return emails.map(({ subject }) => subject)
  }
  try {
    return await use(openIndexer(db), find)
  } finally {
    await db.close()
  }
}

/** @throws Error when the index is damaged */
export function checkIndex(database: string): void {
  const sqlite = new Sqlite(database)
  try {
    sqlite.exec(`insert into email_search (email_search) values ('integrity-check')`)
  } finally {
    sqlite.close()
  }
}
