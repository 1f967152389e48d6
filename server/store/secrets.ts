import { randomBytes } from 'node:crypto'
import type { Database, Tx } from './database.ts'

/** The key that signs return paths and loop headers; made once for a database. */
const name = 'mail'

/** The self-signed certificate of the SMTP ports for logins and its private key, PEM. */
const certificate = 'smtp-certificate'

/** Makes the secret of this server, unless it has one. */
export async function makeSecret(tx: Tx): Promise<void> {
  await tx.sql.insertInto('secrets').values({ name, value: randomBytes(32).toString('hex') })
    .onConflict((conflict) => conflict.column('name').doNothing()).execute()
}

export async function readSecret(db: Database | Tx): Promise<Buffer> {
  const { value } = await db.sql.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  return Buffer.from(value, 'hex')
}

export async function readSmtpCertificate(db: Database | Tx): Promise<string | undefined> {
  return (await db.sql.selectFrom('secrets').select('value').where('name', '=', certificate).executeTakeFirst())?.value
}

/** Stores a certificate, unless another node has done so since `old` was read. @returns the stored one */
export async function replaceSmtpCertificate(tx: Tx, old: string | undefined, value: string): Promise<string> {
  await (old === undefined
    ? tx.sql.insertInto('secrets').values({ name: certificate, value }).onConflict((conflict) => conflict.column('name').doNothing())
    : tx.sql.updateTable('secrets').set({ value }).where('name', '=', certificate).where('value', '=', old)).execute()
  return await readSmtpCertificate(tx) ?? value
}
