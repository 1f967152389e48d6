import { sql as raw } from '../../libraries/kysely.gen.js'
import { inTransaction } from '../database.ts'
import type { Database, Tx } from '../database.ts'
import { ownedBy } from '../owner.ts'
import type { Owner } from '../owner.ts'
import { prepared } from '../changes/prepared.ts'
import type { EmailRow } from '../schema/mail.ts'
import type { Bit } from '../schema/values.ts'
import { beginIndexing, nextPending, undoAttempts } from './search-pending.ts'
import type { IndexRequest, PendingKey } from './search-pending.ts'
import { addTerms, searchedLength } from './search-terms.ts'
import { addToWindow } from './windows.ts'

/** The texts of a mail that are searched. */
interface SearchedMail {
  type: EmailRow['type']
  recipient: string
  from: string
  fromName: string
  subject: string
  text: string
}

/** The number of terms is limited, so the texts that users search most often come first. */
export function termsOf(mail: SearchedMail): Set<string> {
  const terms = new Set<string>()
  if (mail.type === 'sent') addTerms(terms, mail.recipient)
  for (const text of [mail.from, mail.fromName, mail.subject, mail.text]) addTerms(terms, text)
  return terms
}

/** Terms by which a search is confined; no word looks like them. */
export function filterTerms({ addressId, type }: { addressId?: string, type?: EmailRow['type'] }): string[] {
  return [...addressId ? [`@${addressId.replaceAll('-', '').toLowerCase()}`] : [], ...type ? [`@${type}`] : []]
}

/** Prefix of each term of the index: the owner's number, and whether the mail is deleted. */
export const scopeOf = (ownerNumber: number, isDeleted: Bit) => `${ownerNumber}${isDeleted ? 'd' : ''}`

/** Milliseconds since 1970 from which numbers are counted, and numbers of each millisecond. */
const firstTimeMs = Date.UTC(2025, 0)
const numbersPerMs = 16

/** Characters at the start of an id that hold its millisecond. */
const timeLength = '019ceb93-01f0'.length

/** The lowest number that an email with this id may have: numbers increase with ids. */
export function minNumber(emailId: string): number {
  return Math.max(0, parseInt(emailId.slice(0, timeLength).replace('-', ''), 16) - firstTimeMs) * numbersPerMs
}

/** Terms after which a transaction takes no further mail: it must not hold the database for long. */
const maxTermsAtOnce = 8_000
/** Pages that are merged for each mail: it adds about one, which is written again some five times. */
const mergedPagesPerMail = 16

/** A mail that was added to the index. */
export interface IndexedMail {
  owner: Owner
  ownerNumber: number
}

/**
 * @param record called with each mail that was added
 * @returns a function that indexes some of the waiting mails, accounts in rotation, and resolves with their number, 0 when none
 * waits. The attempt is committed before the text of a mail is read: see `maxAttempts`.
 */
export function openIndexer(db: Database, record: (mail: IndexedMail) => void = () => {}): (request: IndexRequest) => Promise<number> {
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

async function indexMails(db: Database, found: PendingKey[], record: (mail: IndexedMail) => void): Promise<number> {
  const mails: (PendingMail & { terms: string[] })[] = []
  let taken = 0
  for (let terms = 0; taken < found.length && terms < maxTermsAtOnce; taken++) {
    const mail = (await selectSearched(db, { id: found[taken]!.emailId })).rows[0]
    if (!mail) continue // deleted meanwhile
    mails.push({ ...mail, terms: [...termsOf(mail), ...filterTerms({ addressId: mail.addressId, type: mail.type })] })
    terms += mails.at(-1)!.terms.length
  }
  const indexed = await inTransaction(db, async (tx) => {
    const added: IndexedMail[] = []
    for (const mail of mails) added.push(...await indexMail(db, tx, mail))
    await undoAttempts(tx, found.slice(taken))
    await tx.execute(db.engine.search.mergeSql, [mergedPagesPerMail * mails.length])
    return added
  })
  indexed.forEach(record)
  return taken
}

/** @returns the mail, or nothing when it is removed or another thread has indexed it */
async function indexMail(db: Database, tx: Tx, mail: PendingMail & { terms: string[] }): Promise<IndexedMail[]> {
  const { numAffectedRows } = await deletePending(tx, mail)
  if (numAffectedRows !== 1n) return []
  const { rows: [row] } = await selectState(tx, mail)
  if (!row) return []
  const { termText, insertSql } = db.engine.search
  const ownerNumber = await numberOfOwner(tx, mail)
  const number = row.number ?? await numberOf(tx, mail)
  await tx.execute(insertSql, [number, termText(scopeOf(ownerNumber, row.is_deleted), mail.terms)])
  if (!row.is_deleted) await addToWindow(tx, ownerNumber, number, mail.terms)
  return [{ owner: { accountId: mail.accountId, mode: mail.mode }, ownerNumber }]
}

async function numberOfOwner(tx: Tx, owner: Owner): Promise<number> {
  const known = (await selectOwnerNumber(tx, owner)).rows[0]
  if (known) return known.number
  await tx.sql.insertInto('email_search_owners').values({ account_id: owner.accountId, mode: owner.mode }).execute()
  return (await selectOwnerNumber(tx, owner)).rows[0]!.number
}

/**
 * Gives numbers to the owner's earlier waiting emails of the same millisecond first: a search lists emails in the order of their
 * numbers, and the newest are indexed first.
 */
async function numberOf(tx: Tx, mail: PendingMail): Promise<number> {
  const earlier = await selectWithoutNumber(tx, { ...mail, from: mail.id.slice(0, timeLength) })
  for (const { email_id } of earlier.rows) await giveNumber(tx, email_id)
  return giveNumber(tx, mail.id)
}

/** The next number of its millisecond; when these are used up, the highest number + 1. */
async function giveNumber(tx: Tx, emailId: string): Promise<number> {
  const first = minNumber(emailId)
  const before = await maxNumberBelow(tx, first + numbersPerMs)
  let number = Math.max(first, before + 1)
  if (number === first + numbersPerMs) number = await maxNumberBelow(tx, Number.MAX_SAFE_INTEGER) + 1
  await insertRow(tx, { number, email_id: emailId })
  return number
}

const maxNumberBelow = async (tx: Tx, below: number) => (await selectMaxNumber(tx, { below })).rows[0]?.number ?? -1

type PendingMail = SearchedMail & Owner & { id: string, addressId: string }

export const selectSearched = prepared<{ id: string }, PendingMail>((sql, value) => sql.selectFrom('emails')
  .innerJoin('messages', 'messages.id', 'emails.message_id')
  .select(['emails.id', 'emails.account_id as accountId', 'emails.mode', 'emails.address_id as addressId', 'emails.type', 'emails.recipient'])
  .select(['from_address as from', 'from_name as fromName', 'subject', raw<string>`substr(body_text, 1, ${raw.lit(searchedLength)})`.as('text')])
  .where('emails.id', '=', value('id')))

const deletePending = prepared<Owner & { id: string }, never>((sql, value) =>
  sql.deleteFrom('email_search_pending')
    .$call(ownedBy(value)).where('email_id', '=', value('id')))

const selectWithoutNumber = prepared<Owner & { id: string, from: string }, { email_id: string }>((sql, value) =>
  sql.selectFrom('email_search_pending').select('email_id')
    .$call(ownedBy(value))
    .where('email_id', '>', value('from')).where('email_id', '<', value('id'))
    .where('email_id', 'not in', sql.selectFrom('email_search_rows').select('email_id'))
    .orderBy('email_id'))

const selectState = prepared<{ id: string }, { is_deleted: Bit, number: number | null }>((sql, value) => sql.selectFrom('emails')
  .leftJoin('email_search_rows', 'email_search_rows.email_id', 'emails.id')
  .select(['is_deleted', 'number']).where('emails.id', '=', value('id')))

/** The number of an owner in the index; none before the first mail. */
export const selectOwnerNumber = prepared<Owner, { number: number }>((sql, value) => sql.selectFrom('email_search_owners').select('number')
  .$call(ownedBy(value)))

const selectMaxNumber = prepared<{ below: number }, { number: number }>((sql, value) => sql.selectFrom('email_search_rows').select('number')
  .where('number', '<', value('below')).orderBy('number', 'desc').limit(1))

const insertRow = prepared<{ number: number, email_id: string }, never>((sql, value) =>
  sql.insertInto('email_search_rows').values({ number: value('number'), email_id: value('email_id') }))
