import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../server/clock.ts'
import { insertAccount, updatePlan } from '../../server/store/accounts/accounts.ts'
import { insertApiKey, openKeyCache, markKeyRevoked } from '../../server/store/accounts/api-keys.ts'
import { inTransaction, openDatabase } from '../../server/store/database.ts'
import type { Database } from '../../server/store/database.ts'
import { newDatabase, newFolder } from '../support/new-database.ts'

describe('Key cache', () => {
  let folder: string
  let db: Database
  /** A second connection, as another process has it. */
  let other: Database
  /** How often the table of the keys was read. */
  let reads: number
  let account: { id: string, email: string }
  beforeEach(async () => {
    folder = await newFolder()
    const database = await newDatabase(join(folder, 'mayfly.db'))
    db = await openDatabase(database, systemClock)
    other = await openDatabase(database, systemClock)
    account = await inTransaction(db, (tx) => insertAccount(tx, 'a@example.org', 'business'))
    reads = 0
    onRead(() => { reads++ })
  })
  afterEach(async () => {
    await db.close()
    await other.close()
    await rm(folder, { recursive: true })
  })

  /** Calls back after each read of the table of the keys, whose reader waits meanwhile. */
  function onRead(heard: () => Promise<void> | void) {
    const { execute } = db
    db.execute = async (sql, parameters) => {
      const result = await execute(sql, parameters)
      if (sql.includes('from "api_keys"')) await heard()
      return result
    }
  }

  const addKey = (hash: string) => inTransaction(db, (tx) =>
    insertApiKey(tx, { accountId: account.id, name: 'a key', hash, mode: 'live', scopes: ['emails:read'] }))

  it('reads a key once, until another connection changes a key or a plan', async () => {
    const { id } = await addKey('first')
    const find = openKeyCache(db)
    const plans = async () => [(await find('first'))?.plan, (await find('first'))?.plan]
    expect([await plans(), reads]).to.deep.equal([['business', 'business'], 1])
    await inTransaction(other, (tx) => updatePlan(tx, account.id, 'pro'))
    expect([await plans(), reads]).to.deep.equal([['pro', 'pro'], 2])
    await inTransaction(other, (tx) => markKeyRevoked(tx, id))
    expect([await plans(), reads]).to.deep.equal([[undefined, undefined], 4])
  })

  it('is not emptied by other changes', async () => {
    await addKey('first')
    const find = openKeyCache(db)
    await find('first')
    await inTransaction(other, (tx) => tx.sql.updateTable('audit_retention').set({ removable_before: 1 }).execute())
    await find('first')
    expect(reads).to.equal(1)
  })

  it('finds a new key that was unknown before', async () => {
    const find = openKeyCache(db)
    expect(await find('first')).to.equal(undefined)
    const { id } = await addKey('first')
    expect((await find('first'))?.apiKeyId).to.equal(id)
  })

  it('keeps no more keys than its limit, without the key that it has had longest', async () => {
    for (const hash of ['first', 'second', 'third']) await addKey(hash)
    const find = openKeyCache(db, 2)
    for (const hash of ['first', 'second', 'third', 'second', 'third']) await find(hash)
    expect(reads).to.equal(3)
    await find('first')
    expect(reads).to.equal(4)
  })

  it('does not keep a key that was revoked between its look-up and the end of the look-up', async () => {
    const { id } = await addKey('first')
    const find = openKeyCache(db)
    let isRevoked = false
    onRead(async () => {
      if (isRevoked) return
      isRevoked = true
      await inTransaction(other, (tx) => markKeyRevoked(tx, id))
      await find('first') // has the new version before the first look-up ends
    })
    expect((await find('first'))?.apiKeyId).to.equal(id) // it began before the revocation
    expect(await find('first')).to.equal(undefined)
  })
})
