import { sql as raw } from '../../libraries/kysely.gen.js'
import { prepared } from '../changes/prepared.ts'
import type { Tx } from '../changes/queries.ts'
import { ownedBy } from '../owner.ts'
import type { Owner } from '../owner.ts'

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
export const timeOf = (number: number) => firstTimeMs + Math.floor(number / numbersPerMs)

/**
 * Gives numbers to emails. Waiting emails of an owner that arrived in the same millisecond, and earlier, get theirs first: a search lists
 * emails in the order of their numbers, and the newest are indexed first. @returns the numbers by the id of the email
 */
export async function giveNumbers(tx: Tx, mails: (Owner & { id: string })[]): Promise<Map<string, number>> {
  const earlier = await Promise.all(mails.map((mail) => selectWithoutNumber(tx, { ...mail, from: mail.id.slice(0, timeLength) })))
  const ids = new Set([...mails.map(({ id }) => id), ...earlier.flatMap(({ rows }) => rows.map(({ email_id }) => email_id))])
  const inserted = await Promise.all([...ids].sort().map((emailId) => insertNumber(tx, { emailId, ...numbersOf(emailId) })))
  return new Map(inserted.flatMap(({ rows }) => rows.map(({ email_id, number }) => [email_id, number])))
}

/** The numbers of a millisecond, and the first one after them. */
const numbersOf = (emailId: string) => ({ first: minNumber(emailId), end: minNumber(emailId) + numbersPerMs })

/** The numbers of the owners of mails in the index, given to an owner with its first mail. @returns in the order of the mails */
export async function numbersOfOwners(tx: Tx, mails: Owner[]): Promise<number[]> {
  const numbers = new Map<string, number>()
  for (const mail of mails) {
    if (!numbers.has(nameOf(mail))) numbers.set(nameOf(mail), await numberOfOwner(tx, mail))
  }
  return mails.map((mail) => numbers.get(nameOf(mail))!)
}

const nameOf = ({ accountId, mode }: Owner) => `${accountId}/${mode}`

async function numberOfOwner(tx: Tx, owner: Owner): Promise<number> {
  const known = (await selectOwnerNumber(tx, owner)).rows[0]
  if (known) return known.number
  await tx.sql.insertInto('email_search_owners').values({ account_id: owner.accountId, mode: owner.mode }).execute()
  return (await selectOwnerNumber(tx, owner)).rows[0]!.number
}

/** The number of an owner in the index; none before the first mail. */
export const selectOwnerNumber = prepared<Owner, { number: number }>((sql, value) => sql.selectFrom('email_search_owners').select('number')
  .$call(ownedBy(value)))

const selectWithoutNumber = prepared<Owner & { id: string, from: string }, { email_id: string }>((sql, value) =>
  sql.selectFrom('email_search_pending').select('email_id')
    .$call(ownedBy(value))
    .where('email_id', '>', value('from')).where('email_id', '<', value('id'))
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('email_search_rows').select('number')
      .whereRef('email_search_rows.email_id', '=', 'email_search_pending.email_id'))))
    .orderBy('email_id'))

/** Gives the next number of its millisecond; when these are used up, the highest number + 1. */
const insertNumber = prepared<{ emailId: string, first: number, end: number }, { email_id: string, number: number }>((sql, value) =>
  sql.insertInto('email_search_rows').values({
    email_id: value('emailId'),
    number: raw<number>`(
      select case
        when below is null or below < ${value('first')} then ${value('first')}
        when below + 1 < ${value('end')} then below + 1
        else (select max(number) from email_search_rows) + 1
      end from (select max(number) as below from email_search_rows where number < ${value('end')}) as highest)`,
  }).returning(['email_id', 'number']))
