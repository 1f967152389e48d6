import type { Database, Tx } from '../store/database.ts'

/** A database whose first transaction that succeeds also does something else. @param also gets what the transaction returns */
export function withFirstTransaction(
  db: Database, also: (tx: Tx, result: unknown) => Promise<void>,
): { db: Database, isDone: () => boolean } {
  let state: 'open' | 'running' | 'done' = 'open'
  const commit: Database['commit'] = async (work) => {
    if (state !== 'open') return db.commit(work)
    state = 'running'
    try {
      const result = await db.commit(async (tx) => {
        const result = await work(tx)
        await also(tx, result)
        return result
      })
      state = 'done'
      return result
    } catch (error) {
      state = 'open'
      throw error
    }
  }
  return { db: { ...db, commit }, isDone: () => state === 'done' }
}
