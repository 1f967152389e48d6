import { prepared } from '../changes/prepared.ts'
import type { Tx } from '../engine.ts'
import { ownedBy, unbound } from '../owner.ts'
import type { Owner, Tenant } from '../schema/values.ts'

/** The numbers of the owners of mails in the index, given to an owner with its first mail. @returns in the order of the mails */
export async function numbersOfOwners(tx: Tx, mails: Tenant[]): Promise<number[]> {
  const numbers = new Map<string, number>()
  for (const mail of mails) {
    if (!numbers.has(nameOf(mail))) numbers.set(nameOf(mail), await numberOfOwner(tx, mail))
  }
  return mails.map((mail) => numbers.get(nameOf(mail))!)
}

const nameOf = ({ accountId, mode }: Tenant) => `${accountId}/${mode}`

async function numberOfOwner(tx: Tx, owner: Tenant): Promise<number> {
  const known = (await selectOwnerNumber(tx, unbound(owner))).rows[0]
  if (known) return known.number
  await tx.sql.insertInto('email_search_owners').values({ account_id: owner.accountId, mode: owner.mode }).execute()
  return (await selectOwnerNumber(tx, unbound(owner))).rows[0]!.number
}

/** The number of an owner in the index; none before the first mail. */
export const selectOwnerNumber = prepared<Owner, { number: number }>((sql, value) => sql.selectFrom('email_search_owners').select('number')
  .$call(ownedBy(value)))
