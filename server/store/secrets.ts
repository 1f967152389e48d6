import { randomBytes } from 'node:crypto'
import type { Database, Tx } from './database.ts'

/** The key that signs return paths and loop headers; made once for a database. */
const name = 'mail'

/** Makes the secret of this server, unless it has one. */
export async function makeSecret(tx: Tx): Promise<void> {
  await tx.sql.insertInto('secrets').values({ name, value: randomBytes(32).toString('hex') })
    .onConflict((conflict) => conflict.column('name').doNothing()).execute()
}

export async function readSecret(db: Database | Tx): Promise<Buffer> {
  const { value } = await db.sql.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  return Buffer.from(value, 'hex')
}
