import { systemClock } from '../../../server/clock.ts'
import { createAccount } from '../../../server/domain/accounts.ts'
import { createApiKey } from '../../../server/domain/api-keys.ts'
import { insertAddress } from '../../../server/store/addresses/addresses.ts'
import { inTransaction, openDatabase } from '../../../server/store/database.ts'
import type { Database } from '../../../server/store/database.ts'
import type { Account, Prepare, Target } from '../../attack/scenario.ts'

/** A database that servers start with, as a copy. */
export type Template = Pick<Target, 'busy' | 'other' | 'facts'> & { file: string }

/** Makes a database with two accounts, and fills it. */
export async function makeTemplate(file: string, prepare: Prepare | undefined): Promise<Template> {
  const db = await openDatabase(file, systemClock)
  try {
    const [busy, other] = [await newAccount(db, 'busy'), await newAccount(db, 'other')]
    return { file, busy, other, facts: await prepare?.(db, file, busy) ?? {} }
  } finally {
    await db.close()
  }
}

const addressLifetimeMs = 24 * 3600 * 1000

async function newAccount(db: Database, name: string): Promise<Account> {
  const { id } = await createAccount(db, `${name}@mail.example`, 'business')
  const [live, test] = await Promise.all([false, true].map((isTest) => createApiKey(db, { account: id, name, scopes: [], isTest })))
  const made = await inTransaction(db, (tx) => insertAddress(tx, {
    owner: { accountId: id, mode: 'live' },
    address: `${name}@mail.localhost`,
    alias: name,
    expiresAt: tx.now + addressLifetimeMs,
    domainId: null,
  }))
  return { id, key: live!.key, testKey: test!.key, addressId: made!.id, address: `${name}@mail.localhost` }
}
