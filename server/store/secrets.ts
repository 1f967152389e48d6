import { hash, randomBytes } from 'node:crypto'
import type { Database, Tx } from './database.ts'

/** The key that signs return paths and loop headers; made once for a database. */
const name = 'mail'

/** Texts that the nodes share: certificates with their private keys, PEM; for ACME the account's key, the proof and the last order, too. */
type KeptName = 'smtp-certificate' | 'acme-certificate' | 'acme-account' | 'acme-proof' | 'acme-order'

/** Makes the secret of this server, unless it has one. */
export async function makeSecret(tx: Tx): Promise<void> {
  await tx.sql.insertInto('secrets').values({ name, value: randomBytes(32).toString('hex') })
    .onConflict((conflict) => conflict.column('name').doNothing()).execute()
}

export async function readSecret(db: Database | Tx): Promise<Buffer> {
  const { value } = await db.sql.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  return Buffer.from(value, 'hex')
}

/** The secrets of the databases from which accounts have come: their ids of events and return paths stay valid. */
export async function readFormerSecrets(db: Database): Promise<Buffer[]> {
  const rows = await db.sql.selectFrom('secrets').select('value').where('name', 'like', `${formerName('')}%`).execute()
  return rows.map(({ value }) => Buffer.from(value, 'hex'))
}

/** Keeps the secret of another database, and those that it has of others. */
export async function insertFormerSecrets(tx: Tx, secrets: Buffer[]): Promise<void> {
  for (const secret of secrets) {
    const value = secret.toString('hex')
    await tx.sql.insertInto('secrets').values({ name: formerName(hash('sha256', value)), value })
      .onConflict((conflict) => conflict.column('name').doNothing()).execute()
  }
}

const formerName = (digest: string) => `former ${name} ${digest}`

export async function readKept(db: Database | Tx, name: KeptName): Promise<string | undefined> {
  return (await db.sql.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** Stores a text, unless another node has done so since `old` was read. @returns the stored one */
export async function replaceKept(tx: Tx, name: KeptName, old: string | undefined, value: string): Promise<string> {
  await (old === undefined
    ? tx.sql.insertInto('secrets').values({ name, value }).onConflict((conflict) => conflict.column('name').doNothing())
    : tx.sql.updateTable('secrets').set({ value }).where('name', '=', name).where('value', '=', old)).execute()
  return await readKept(tx, name) ?? value
}
