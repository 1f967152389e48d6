import { createHash } from 'node:crypto'
import type { Locks } from '../../engine.ts'

/** The advisory lock of the end of groups; names have locks of their own. */
export const endLock = 'the end of a group'

/** Locks until the end of the transaction. A name is locked by its number: two names with one number would only wait for one another. */
export const postgresLocks: Locks = {
  lockEnd: (tx) => lock(tx, endLock),
  lockName: (tx, name) => lock(tx, `name ${name}`),
  async lockRow(tx, table, id) {
    await tx.execute(`select 1 from ${table} where id = $1 for update`, [id])
  },
  async lockRowForShare(tx, table, id) {
    const queries = [`select 1 from ${table} where id = $1 for share`]
    if (table === 'addresses') queries.push('select 1 from accounts where id = (select account_id from addresses where id = $1) for share')
    await Promise.all(queries.map(async (query) => tx.execute(query, [id])))
    return 'may have changed' as const
  },
}

async function lock(tx: Parameters<Locks['lockEnd']>[0], name: string) {
  await tx.execute('select pg_advisory_xact_lock($1)', [lockKeyOf(name)])
}

export const lockKeyOf = (name: string) => createHash('sha256').update(`mayfly ${name}`).digest().readBigInt64BE()
