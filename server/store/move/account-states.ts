import type { Database, Tx } from '../database.ts'
import type { AccountMove, AccountRow } from '../schema/accounts.ts'

/** The states of an account that moves, at both databases. Each function changes nothing, and returns false, in another state. */

/** An account in any state. */
export interface AccountState extends Pick<AccountRow, 'id' | 'email' | 'move'> {
  /** The name of the database to which it moves, from the hold on. */
  moveTo: string | null
  isDeleted: boolean
}

export async function readAccount(db: Database | Tx, id: string): Promise<AccountState | undefined> {
  return toState(await readRow(db, id))
}

/** @param wanted its id, or its e-mail address */
export async function findMoving(db: Database, wanted: string): Promise<AccountState | undefined> {
  const text = wanted.toLowerCase()
  return toState(await readRow(db, text) ?? await db.sql.selectFrom('accounts').selectAll().where('email', '=', text).executeTakeFirst())
}

const readRow = (db: Database | Tx, id: string) => db.sql.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()

const toState = (row: AccountRow | undefined): AccountState | undefined =>
  row && { id: row.id, email: row.email, move: row.move, moveTo: row.move_to, isDeleted: row.deleted_at !== null }

/** From the commit on nothing reads or changes the account: transactions that have locked it were committed before. */
export async function holdAccount(tx: Tx, id: string, to: string): Promise<boolean> {
  return hasChanged(await tx.sql.updateTable('accounts').set({ deleted_at: tx.now, move: 'held', move_to: to })
    .where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirstOrThrow())
}

/** Ends the hold, or at the target shows the account. */
export async function openAccount(tx: Tx, id: string, from: 'held' | 'arriving'): Promise<boolean> {
  return hasChanged(await tx.sql.updateTable('accounts').set({ deleted_at: null, move: null, move_to: null })
    .where('id', '=', id).where('move', '=', from).executeTakeFirstOrThrow())
}

export async function setMove(tx: Tx, id: string, from: AccountMove, to: AccountMove | null): Promise<boolean> {
  return hasChanged(await tx.sql.updateTable('accounts').set({ move: to })
    .where('id', '=', id).where('move', '=', from).executeTakeFirstOrThrow())
}

/** Inserts the account at the target, without effect, or brings it up to date. Its e-mail address is taken from then on. */
export async function putArriving(tx: Tx, source: Database, id: string): Promise<boolean> {
  const { email, plan, created_at, is_admin, has_signed_up } = (await readRow(source, id))!
  const shown = { email, plan, is_admin, has_signed_up }
  return hasChanged(await tx.sql.insertInto('accounts').values({ id, ...shown, created_at, deleted_at: tx.now, move: 'arriving' })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(shown).where('accounts.move', '=', 'arriving'))
    .executeTakeFirstOrThrow())
}

interface Changed {
  numUpdatedRows?: bigint
  numInsertedOrUpdatedRows?: bigint | undefined
}

const hasChanged = ({ numUpdatedRows, numInsertedOrUpdatedRows }: Changed) => (numUpdatedRows ?? numInsertedOrUpdatedRows) === 1n

/** Frees the e-mail address of an account whose rows are about to be removed. @param to null at the target of a move that was given up */
export async function endMove(tx: Tx, id: string, from: 'committed' | 'arriving', to: 'moved' | null): Promise<boolean> {
  return hasChanged(await tx.sql.updateTable('accounts').set({ email: id, move: to })
    .where('id', '=', id).where('move', '=', from).executeTakeFirstOrThrow())
}
