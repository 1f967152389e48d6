import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../server/clock.ts'
import { insertAccount, updatePlan } from '../../server/store/accounts/accounts.ts'
import { insertApiKey, revokeApiKey } from '../../server/store/accounts/api-keys.ts'
import { openKeyCache } from '../../server/store/accounts/key-cache.ts'
import { inTransaction, openDatabase } from '../../server/store/database.ts'
import type { Database } from '../../server/store/database.ts'
import { rowsNow } from '../support/store/raw-sql.ts'

describe('Key cache', () => {
  let folder: string
  let db: Database
  /** A second connection, as another process has it. */
  let other: Database
  /** How often the table of the keys was read. */
  let reads: number
  let account: { id: string, email: string }
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-keys-'))
    db = await openDatabase(join(folder, 'mayfly.db'), systemClock)
    other = await openDatabase(join(folder, 'mayfly.db'), systemClock)
    account = await inTransaction(db, (tx) => insertAccount(tx, 'a@example.org', 'business'))
    reads = 0
    onRead(() => { reads++ })
  })
  afterEach(async () => {
    await db.close()
    await other.close()
    await rm(folder, { recursive: true })
  })

  /** Calls back after each read of the table of the keys. */
  function onRead(heard: () => void) {
    const { execute } = db
    db.execute = (sql, parameters) => {
      const result = execute(sql, parameters)
      if (sql.includes('from "api_keys"')) heard()
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
    await inTransaction(other, (tx) => revokeApiKey(tx, id))
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
    let revoking: Promise<unknown> | undefined
    onRead(() => {
      if (revoking) return
      rowsNow(other.engine.writer, 'update api_keys set revoked_at = 1 where id = ?', [id])
      revoking = find('first') // has the new version before the first look-up ends
    })
    expect((await find('first'))?.apiKeyId).to.equal(id) // it began before the revocation
    await revoking
    expect(await find('first')).to.equal(undefined)
  })
})
