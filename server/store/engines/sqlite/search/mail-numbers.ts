import { sql as raw } from 'kysely'
import { prepared } from '../../../changes/prepared.ts'
import type { Queries } from '../../../connection.ts'
import type { Tx } from '../../../engine.ts'
import { ownedBy } from '../../../owner.ts'
import type { Owner } from '../../../schema/values.ts'
import { minNumber, numbersPerMs, timeLength } from '../../../search/search-numbers.ts'

/** The numbers of mails as rows of the index, given to a mail when it is first added. @returns in the order of the mails */
export async function numbersOfMails(tx: Tx, mails: (Owner & { id: string })[]): Promise<number[]> {
  const known = await Promise.all(mails.map((mail) => selectNumber(tx, mail)))
  const given = await giveNumbers(tx, mails.filter((_mail, i) => known[i]!.rows.length === 0))
  return mails.map(({ id }, i) => known[i]!.rows[0]?.number ?? given.get(id)!)
}

/**
 * Gives numbers to emails. Waiting emails of an owner that arrived in the same millisecond, and earlier, get theirs first: a search lists
 * emails in the order of their numbers, and the newest are indexed first. @returns the numbers by the id of the email
 */
async function giveNumbers(tx: Tx, mails: (Owner & { id: string })[]): Promise<Map<string, number>> {
  const earlier = await Promise.all(mails.map((mail) => selectWithoutNumber(tx, { ...mail, from: mail.id.slice(0, timeLength) })))
  const ids = new Set([...mails.map(({ id }) => id), ...earlier.flatMap(({ rows }) => rows.map(({ email_id }) => email_id))])
  const inserted = await Promise.all([...ids].sort().map((emailId) => insertNumber(tx, { emailId, ...numbersOf(emailId) })))
  return new Map(inserted.flatMap(({ rows }) => rows.map(({ email_id, number }) => [email_id, number])))
}

/** The numbers of a millisecond, and the first one after them. */
const numbersOf = (emailId: string) => ({ first: minNumber(emailId), end: minNumber(emailId) + numbersPerMs })

/** The lowest number above those of all emails before this one, which may have none itself: it is deleted, or not indexed yet. */
export async function numberBehind(at: Queries, emailId: string): Promise<number> {
  const { rows: [last] } = await selectLastNumber(at, { emailId })
  return last ? last.number + (last.email_id === emailId ? 0 : 1) : 0
}

const selectNumber = prepared<{ id: string }, { number: number }>((sql, value) => sql.selectFrom('email_search_rows').select('number')
  .where('email_id', '=', value('id')))

const selectLastNumber = prepared<{ emailId: string }, { email_id: string, number: number }>((sql, value) => sql.selectFrom('email_search_rows')
  .select(['email_id', 'number']).where('email_id', '<=', value('emailId')).orderBy('email_id', 'desc').limit(1))

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
