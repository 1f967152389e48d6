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
 * The number of an email in the index, given to it now. The owner's earlier waiting emails of the same millisecond get theirs first: a
 * search lists emails in the order of their numbers, and the newest are indexed first.
 */
export async function giveNumber(tx: Tx, mail: Owner & { id: string }): Promise<number> {
  const earlier = await selectWithoutNumber(tx, { ...mail, from: mail.id.slice(0, timeLength) })
  for (const { email_id } of earlier.rows) await insertNumber(tx, email_id)
  return insertNumber(tx, mail.id)
}

/** The next number of its millisecond; when these are used up, the highest number + 1. */
async function insertNumber(tx: Tx, emailId: string): Promise<number> {
  const first = minNumber(emailId)
  const before = await maxNumberBelow(tx, first + numbersPerMs)
  let number = Math.max(first, before + 1)
  if (number === first + numbersPerMs) number = await maxNumberBelow(tx, Number.MAX_SAFE_INTEGER) + 1
  await insertRow(tx, { number, email_id: emailId })
  return number
}

const maxNumberBelow = async (tx: Tx, below: number) => (await selectMaxNumber(tx, { below })).rows[0]?.number ?? -1

/** The number of an owner in the index, given to it with its first mail. */
export async function numberOfOwner(tx: Tx, owner: Owner): Promise<number> {
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
    .where('email_id', 'not in', sql.selectFrom('email_search_rows').select('email_id'))
    .orderBy('email_id'))

const selectMaxNumber = prepared<{ below: number }, { number: number }>((sql, value) => sql.selectFrom('email_search_rows').select('number')
  .where('number', '<', value('below')).orderBy('number', 'desc').limit(1))

const insertRow = prepared<{ number: number, email_id: string }, never>((sql, value) =>
  sql.insertInto('email_search_rows').values({ number: value('number'), email_id: value('email_id') }))
