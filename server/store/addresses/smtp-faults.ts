import type { SmtpFaultStep } from '../../contract/types.gen.ts'
import type { Database, Tx } from '../database.ts'
import { ownedBy } from '../owner.ts'
import type { Owner } from '../schema/values.ts'

/** A step with its counters. */
export type StoredStep = SmtpFaultStep & {
  /** Of `greylist`: the triples that it knows, the oldest first. One text, since an array would take longer to read and write. */
  seen?: string
  /** Of `rate`: when the minute began, in milliseconds since 1970, and the recipients in it. */
  minute?: { from: number, count: number }
}

/** Replaces the steps of an address. @returns false when the owner has no such address */
export async function setFaults(tx: Tx, owner: Owner, addressId: string, steps: StoredStep[]): Promise<boolean> {
  const row = await tx.sql.updateTable('addresses').set({ has_smtp_faults: steps.length > 0 ? 1 : 0 })
    .where('id', '=', addressId).$call(ownedBy(owner)).returning('account_id as accountId').executeTakeFirst()
  if (!row) return false
  const text = JSON.stringify(steps)
  if (steps.length === 0) await removeFaults(tx, addressId)
  else {
    await tx.sql.insertInto('smtp_faults').values({ address_id: addressId, account_id: row.accountId, steps: text })
      .onConflict((conflict) => conflict.column('address_id').doUpdateSet({ steps: text })).execute()
  }
  return true
}

/** @returns undefined when the owner has no such address */
export async function findFaults(db: Database, owner: Owner, addressId: string): Promise<StoredStep[] | undefined> {
  const row = await db.sql.selectFrom('addresses').leftJoin('smtp_faults', 'address_id', 'addresses.id').select('steps')
    .where('addresses.id', '=', addressId).$call(ownedBy(owner, 'addresses')).executeTakeFirst()
  return row && stepsOf(row)
}

/** The steps of an address, of any owner. */
export async function readFaults(db: Database | Tx, addressId: string): Promise<StoredStep[]> {
  return stepsOf(await db.sql.selectFrom('smtp_faults').select('steps').where('address_id', '=', addressId).executeTakeFirst())
}

/** The steps of an address, which no other transaction changes until this one ends. */
export async function lockFaults(tx: Tx, addressId: string): Promise<StoredStep[]> {
  await tx.engine.locks.lockRow(tx, 'addresses', addressId)
  return readFaults(tx, addressId)
}

/** Writes the steps that are left; none ends the faults of the address. */
export async function storeFaults(tx: Tx, addressId: string, steps: StoredStep[]): Promise<void> {
  if (steps.length > 0) {
    await tx.sql.updateTable('smtp_faults').set({ steps: JSON.stringify(steps) }).where('address_id', '=', addressId).execute()
    return
  }
  await tx.sql.updateTable('addresses').set({ has_smtp_faults: 0 }).where('id', '=', addressId).execute()
  await removeFaults(tx, addressId)
}

async function removeFaults(tx: Tx, addressId: string): Promise<void> {
  await tx.sql.deleteFrom('smtp_faults').where('address_id', '=', addressId).execute()
}

const stepsOf = (row: { steps: string | null } | undefined): StoredStep[] => row?.steps ? JSON.parse(row.steps) : []
