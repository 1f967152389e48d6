import type { Locks } from '../../engine.ts'

/** No locks: a transaction begins with the write lock of the file. */
export const noLocks: Locks = { lockEnd() {}, lockName() {}, lockRow() {}, keepRow: () => false }
