import { prepared } from '../changes/prepared.ts'
import type { Tx } from '../engine.ts'
import { ownedBy } from '../owner.ts'
import type { Owner } from '../schema/values.ts'

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
