import { expect } from 'chai'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../../server/clock.ts'
import { inTransaction, openDatabase } from '../../../server/store/database.ts'
import type { Database, Tx } from '../../../server/store/database.ts'
import { newDatabase, newFolder } from '../../support/new-database.ts'
import { lockWrites } from '../../support/store/faults.ts'

const insertAccount = (tx: Tx, email: string) =>
  tx.sql.insertInto('accounts').values({ id: tx.newId(), email, plan: 'free', is_admin: 0, has_signed_up: 0, created_at: tx.now }).execute()
const emails = async (db: Database) => (await db.sql.selectFrom('accounts').select('email').orderBy('id').execute()).map(({ email }) => email)

describe('Group commit', () => {
  let folder: string
  let database: string
  let db: Database
  const open = () => openDatabase(database, systemClock)
  beforeEach(async () => {
    folder = await newFolder()
    database = await newDatabase(join(folder, 'mayfly.db'))
    db = await open()
  })
  afterEach(async () => {
    await db.close()
    await rm(folder, { recursive: true })
  })

  it('a failing change does not affect the others of its group, and each gets its own result', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 300 }, (_, i) => inTransaction(db, async (tx) => {
      await insertAccount(tx, `${i % 10 === 7 ? 'twice' : i}@example.org`)
      if (i % 10 === 3) throw new Error(`no ${i}`)
      return i
    })))
    const kept = outcomes.flatMap((outcome) => outcome.status === 'fulfilled' ? [outcome.value] : [])
    const expected = Array.from({ length: 300 }, (_, i) => i).filter((i) => i % 10 !== 3 && (i % 10 !== 7 || i === 7))
    expect(kept).to.deep.equal(expected)
    expect((await emails(db)).sort()).to.deep.equal(expected.map((i) => `${i === 7 ? 'twice' : i}@example.org`).sort())
    const reasons = outcomes.flatMap((outcome) => outcome.status === 'rejected' ? [(outcome.reason as Error).message] : [])
    expect(reasons.filter((reason) => /^no \d*3$/.test(reason))).to.have.length(30)
    expect(reasons.filter((reason) => /unique/i.test(reason))).to.have.length(29)
  })

  it('changes are not visible before they are on disk', async () => {
    const seen: string[][] = []
    const other = await open()
    await inTransaction(db, async (tx) => {
      await insertAccount(tx, 'a@example.org')
      seen.push(await emails(db), await emails(other))
    })
    seen.push(await emails(db), await emails(other))
    expect(seen).to.deep.equal([[], [], ['a@example.org'], ['a@example.org']])
    await other.close()
  })

  it('announces topics once the changes are on disk, and none of a failed change', async () => {
    const other = await open()
    const heard: Promise<{ topics: string[], stored: number }>[] = []
    db.commits.on('committed', (topics) => heard.push(emails(other).then(({ length }) => ({ topics: [...topics].sort(), stored: length }))))
    const change = (topic: string, fails = false) => inTransaction(db, async (tx) => {
      await insertAccount(tx, `${topic}@example.org`)
      tx.announce(topic)
      if (fails) throw new Error('it fails')
    }).catch(() => {})
    await Promise.all([change('one'), change('two')])
    await change('three', true)
    await Promise.all(heard)
    await change('four')
    const first = await Promise.all(heard) // the changes at once share a commit, or have two: a group ends after some milliseconds
    expect(first.flatMap(({ topics }) => topics)).to.deep.equal(['one', 'two', 'four'])
    let announced = 0
    for (const { topics, stored } of first) expect(stored).to.be.at.least(announced += topics.length)
    heard.length = 0
    await Promise.all([change('five'), change('six', true), change('seven')])
    const last = await Promise.all(heard)
    expect(last.flatMap(({ topics }) => topics)).to.have.members(['five', 'seven'])
    expect(last.at(-1)!.stored).to.equal(5)
    await other.close()
  })

  it('waits while another process writes, while reads do not wait', async () => {
    const unlock = await lockWrites(database)
    let isStored = false
    const changing = inTransaction(db, (tx) => insertAccount(tx, 'a@example.org')).then(() => { isStored = true })
    for (let i = 0; i < 20; i++) {
      expect(await emails(db)).to.deep.equal([])
      await new Promise(setImmediate)
    }
    expect(isStored).to.equal(false)
    await unlock()
    await changing
    expect(await emails(db)).to.deep.equal(['a@example.org'])
  })

  it('rejects the changes when their transaction cannot begin', async () => {
    await db.close()
    const outcome = await inTransaction(db, (tx) => insertAccount(tx, 'late@example.org')).catch((error: Error) => error)
    expect(outcome).to.be.instanceOf(Error)
    db = await open()
    expect(await emails(db)).to.deep.equal([])
  })
})
