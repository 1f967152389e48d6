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
  const row = await tx.sql.updateTable('addresses').set({ smtp_faults: textOf(steps) })
    .where('id', '=', addressId).$call(ownedBy(owner)).returning('id').executeTakeFirst()
  return row !== undefined
}

/** @returns undefined when the owner has no such address */
export async function findFaults(db: Database, owner: Owner, addressId: string): Promise<StoredStep[] | undefined> {
  const row = await db.sql.selectFrom('addresses').select('smtp_faults').where('id', '=', addressId).$call(ownedBy(owner)).executeTakeFirst()
  return row && stepsOf(row)
}

/** The steps of an address, of any owner. */
export async function readFaults(db: Database | Tx, addressId: string): Promise<StoredStep[]> {
  return stepsOf(await db.sql.selectFrom('addresses').select('smtp_faults').where('id', '=', addressId).executeTakeFirst())
}

/** The steps of an address, which no other transaction changes until this one ends. */
export async function lockFaults(tx: Tx, addressId: string): Promise<StoredStep[]> {
  await tx.engine.locks.lockRow(tx, 'addresses', addressId)
  return readFaults(tx, addressId)
}

/** Writes the steps that are left. */
export async function storeFaults(tx: Tx, addressId: string, steps: StoredStep[]): Promise<void> {
  await tx.sql.updateTable('addresses').set({ smtp_faults: textOf(steps) }).where('id', '=', addressId).execute()
}

const textOf = (steps: StoredStep[]) => steps.length > 0 ? JSON.stringify(steps) : null

const stepsOf = (row: { smtp_faults: string | null } | undefined): StoredStep[] => row?.smtp_faults ? JSON.parse(row.smtp_faults) : []
