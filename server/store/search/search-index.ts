import { prepared } from '../changes/prepared.ts'
import { inTransaction } from '../database.ts'
import type { Database, Tx } from '../database.ts'
import type { IndexedMail } from '../engine.ts'
import { ownedBy, unbound } from '../owner.ts'
import type { Bit, Owner } from '../schema/values.ts'
import { numbersOfOwners } from './search-numbers.ts'
import { beginIndexing, nextPending, openBegunMails, undoAttempts } from './search-pending.ts'
import type { IndexRequest, PendingKey } from './search-pending.ts'
import { allTermsOf, selectSearched } from './searched-mail.ts'
import type { SearchedMail } from './searched-mail.ts'

/** Terms after which a transaction takes no further mail: it must not hold the database for long. */
const maxTermsAtOnce = 8_000

/** Mails that are read at the same time. */
const readsAtOnce = 16

/**
 * Milliseconds after which this process indexes a mail whose attempt another process has begun. Longer than the time after which the thread
 * that indexes is replaced (`intakeLimits`).
 */
const takeOverAfterMs = 15_000

interface IndexerOptions {
  /** Called with each mail that was added. */
  record?: (mail: IndexedMail) => void
  /** Time after which an attempt under way counts as ended: 0 where this is the only process. */
  maxAttemptMs?: number
}

/**
 * @returns a function that indexes some of the waiting mails, accounts in rotation, and resolves with their number, 0 when none
 * waits. The attempt is committed before the text of a mail is read: see `maxAttempts`. Processes that share a database share the mails:
 * each begins with another account, and those of one owner are added one after the other.
 */
export function openIndexer(
  db: Database, { record = () => {}, maxAttemptMs = db.engine.shared ? takeOverAfterMs : 0 }: IndexerOptions = {},
): (request: IndexRequest) => Promise<number> {
  const findBegun = openBegunMails(maxAttemptMs)
  let lastAccount = db.engine.shared ? db.newId() : ''
  return async (request) => {
    const waiting = await nextPending(db, request, lastAccount)
    const found = waiting.length > 0 || request.owner ? waiting : await findBegun(db)
    if (found.length === 0) return 0
    lastAccount = found.at(-1)!.accountId
    const begun = await inTransaction(db, (tx) => beginIndexing(tx, found))
    try {
      return await indexMails(db, begun, record) + found.length - begun.length
    } catch (error) {
      // a full disk, for example: the thread still runs, so the mail is not the cause
      await inTransaction(db, (tx) => undoAttempts(tx, begun))
      throw error
    }
  }
}

/** @returns the number of mails that were read: the attempts of the others are taken back */
async function indexMails(db: Database, found: PendingKey[], record: (mail: IndexedMail) => void): Promise<number> {
  const { mails, taken } = await readMails(db, found)
  const { search } = db.engine
  const indexed = await inTransaction(db, async (tx) => {
    await search.locks?.lockOwners(tx, mails)
    await search.locks?.lockMailsForShare(tx, mails.map(({ id }) => id))
    const added = await takePending(tx, mails)
    await search.add(tx, added)
    await undoAttempts(tx, found.slice(taken))
    return added
  })
  indexed.forEach(record)
  return taken
}

type MailWithTerms = SearchedMail & { terms: string[] }

/** Reads the first mails, up to the limit of terms. @returns the mails that still exist, and the number of keys that were read */
async function readMails(db: Database, found: PendingKey[]) {
  const mails: MailWithTerms[] = []
  let [taken, terms] = [0, 0]
  while (taken < found.length && terms < maxTermsAtOnce) {
    const read = await Promise.all(found.slice(taken, taken + readsAtOnce).map(({ emailId }) => selectSearched(db, { id: emailId })))
    for (const { rows: [mail] } of read) {
      if (terms >= maxTermsAtOnce) break
      taken++
      if (!mail) continue
      mails.push({ ...mail, terms: allTermsOf(mail) })
      terms += mails.at(-1)!.terms.length
    }
  }
  return { mails, taken }
}

/** @returns the mails without those that are removed, or that another thread has indexed */
async function takePending(tx: Tx, mails: MailWithTerms[]): Promise<IndexedMail[]> {
  const taken = (await Promise.all(mails.map(async (mail) => {
    const key = { ...unbound(mail), id: mail.id }
    const [{ numAffectedRows }, { rows: [state] }] = await Promise.all([deletePending(tx, key), selectState(tx, mail)])
    return numAffectedRows === 1n && state ? [{ mail, state }] : []
  }))).flat()
  const owners = await numbersOfOwners(tx, taken.map(({ mail }) => mail))
  return taken.map(({ mail: { id, addressId, terms, accountId, mode }, state }, i) =>
    ({
      owner: { accountId, mode }, ownerNumber: owners[i]!, isDeleted: state.is_deleted === 1, id, number: state.seq, addressId, terms,
    }))
}

const deletePending = prepared<Owner & { id: string }, never>((sql, value) =>
  sql.deleteFrom('email_search_pending')
    .$call(ownedBy(value)).where('email_id', '=', value('id')))

const selectState = prepared<{ id: string }, { is_deleted: Bit, seq: number }>((sql, value) => sql.selectFrom('emails')
  .select(['is_deleted', 'seq']).$narrowType<{ seq: number }>().where('id', '=', value('id')))
