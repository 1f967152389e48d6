import type { MaybePromise } from '../connection.ts'
import type { LockableRow, Tx } from '../engine.ts'

/**
 * Locks for changes that read a value, and write by it: other nodes may change it in between. Each lasts until the commit, and what the
 * transaction reads after it is as the transactions before have left it. With an engine that has one writer they cost nothing.
 */

/** One transaction at a time has the lock of a name: for limits of rows, and for names that no row has yet. */
export const lockName = (tx: Tx, name: string): MaybePromise<void> => tx.engine.locks.lockName(tx, name)

/** One transaction at a time has the lock of a row or changes it, and none keeps it. */
export const lockRow = (tx: Tx, table: LockableRow, id: string): MaybePromise<void> => tx.engine.locks.lockRow(tx, table, id)

/**
 * Keeps a row as it is; an address with its account. Many transactions may keep a row.
 * @returns whether the row may have changed since this transaction has read it: it has to be read again
 */
export const keepRow = (tx: Tx, table: LockableRow, id: string): MaybePromise<boolean> => tx.engine.locks.keepRow(tx, table, id)
