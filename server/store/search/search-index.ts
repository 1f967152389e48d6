import { inTransaction } from '../database.ts'
import type { Database, Tx } from '../database.ts'
import type { IndexedMail } from '../engine.ts'
import { ownedBy } from '../owner.ts'
import type { Owner } from '../owner.ts'
import { prepared } from '../changes/prepared.ts'
import type { Bit } from '../schema/values.ts'
import { giveNumber, numberOfOwner } from './search-numbers.ts'
import { beginIndexing, nextPending, undoAttempts } from './search-pending.ts'
import type { IndexRequest, PendingKey } from './search-pending.ts'
import { allTermsOf, selectSearched } from './searched-mail.ts'
import type { SearchedMail } from './searched-mail.ts'

/** Terms after which a transaction takes no further mail: it must not hold the database for long. */
const maxTermsAtOnce = 8_000

/**
 * @param record called with each mail that was added
 * @returns a function that indexes some of the waiting mails, accounts in rotation, and resolves with their number, 0 when none
 * waits. The attempt is committed before the text of a mail is read: see `maxAttempts`.
 */
export function openIndexer(db: Database, record: RecordMail = () => {}): (request: IndexRequest) => Promise<number> {
  let lastAccount = ''
  return async (request) => {
    const found = await nextPending(db, request, lastAccount)
    if (found.length === 0) return 0
    lastAccount = found.at(-1)!.accountId
    await inTransaction(db, (tx) => beginIndexing(tx, found))
    try {
      return await indexMails(db, found, record)
    } catch (error) {
      // a full disk, for example: the thread still runs, so the mail is not the cause
      await inTransaction(db, (tx) => undoAttempts(tx, found))
      throw error
    }
  }
}

type RecordMail = (mail: IndexedMail) => void

async function indexMails(db: Database, found: PendingKey[], record: RecordMail): Promise<number> {
  const mails: MailWithTerms[] = []
  let taken = 0
  for (let terms = 0; taken < found.length && terms < maxTermsAtOnce; taken++) {
    const mail = (await selectSearched(db, { id: found[taken]!.emailId })).rows[0]
    if (!mail) continue // deleted meanwhile
    mails.push({ ...mail, terms: allTermsOf(mail) })
    terms += mails.at(-1)!.terms.length
  }
  const { search } = db.engine
  const indexed = await inTransaction(db, async (tx) => {
    await search.lock(tx, mails.map(({ id }) => id))
    const added: IndexedMail[] = []
    for (const mail of mails) added.push(...await takePending(tx, mail))
    await search.add(tx, added)
    await undoAttempts(tx, found.slice(taken))
    return added
  })
  indexed.forEach(record)
  return taken
}

type MailWithTerms = SearchedMail & { terms: string[] }

/** @returns the mail, or nothing when it is removed or another thread has indexed it */
async function takePending(tx: Tx, mail: MailWithTerms): Promise<IndexedMail[]> {
  const { numAffectedRows } = await deletePending(tx, mail)
  if (numAffectedRows !== 1n) return []
  const { rows: [row] } = await selectState(tx, mail)
  if (!row) return []
  const { id, addressId, terms, accountId, mode } = mail
  const ownerNumber = await numberOfOwner(tx, mail)
  const number = row.number ?? await giveNumber(tx, mail)
  return [{ owner: { accountId, mode }, ownerNumber, isDeleted: row.is_deleted === 1, number, id, addressId, terms }]
}

const deletePending = prepared<Owner & { id: string }, never>((sql, value) =>
  sql.deleteFrom('email_search_pending')
    .$call(ownedBy(value)).where('email_id', '=', value('id')))

const selectState = prepared<{ id: string }, { is_deleted: Bit, number: number | null }>((sql, value) => sql.selectFrom('emails')
  .leftJoin('email_search_rows', 'email_search_rows.email_id', 'emails.id')
  .select(['is_deleted', 'number']).where('emails.id', '=', value('id')))
