import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../server/clock.ts'
import { inTransaction, openDatabase } from '../../server/store/database.ts'
import type { Database, Tx } from '../../server/store/database.ts'
import { migrations } from '../../server/store/migrations/index.ts'
import { openTestApp } from '../support/app.ts'
import { rowsNow } from '../support/store/raw-sql.ts'

let folder: string
let file: string

const open = () => openDatabase(file, systemClock)
const insertAccount = (tx: Tx, email: string) =>
  tx.sql.insertInto('accounts').values({ id: tx.newId(), email, plan: 'free', is_admin: 0, has_signed_up: 0, created_at: tx.now }).execute()
const emails = async (db: Database) => (await db.sql.selectFrom('accounts').select('email').orderBy('id').execute()).map(({ email }) => email)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-store-'))
  file = join(folder, 'mayfly.db')
})
afterEach(() => rm(folder, { recursive: true }))

describe('Database file: opening and closing', () => {
  it('creates the folder, the file and the schema, and opens them again', async () => {
    file = join(folder, 'a', 'b', 'mayfly.db')
    const first = await open()
    await inTransaction(first, (tx) => insertAccount(tx, 'a@example.org'))
    const applied = () => first.sql.selectFrom('migrations').selectAll().execute()
    const before = await applied()
    expect(before.map(({ name }) => name)).to.deep.equal(migrations.map(({ name }) => name))
    const second = await open()
    expect(await emails(second)).to.deep.equal(['a@example.org'])
    expect(await applied()).to.deep.equal(before)
    await first.close()
    await second.close()
  })

  it('refuses a file of a newer version, and does not change it', async () => {
    const db = await open()
    await inTransaction(db, async (tx) => tx.sql.insertInto('migrations').values({ name: '9999-later', applied_at: 0 }).execute())
    await db.close()
    const error = await open().catch((error: Error) => error.message)
    expect(error).to.equal('MAYFLY_DATABASE: was written by a newer Mayfly (it has 9999-later). Start that version.')
    const left = new Sqlite(file)
    expect(left.prepare('select count(*) as n from migrations').get()).to.deep.equal({ n: migrations.length + 1 })
    left.close()
  })

  it('waits while another process writes', async () => {
    await (await open()).close()
    const other = new Sqlite(file)
    other.exec('begin immediate')
    const opening = open()
    await new Promise(setImmediate)
    other.exec('commit')
    const db = await opening
    expect(await emails(db)).to.deep.equal([])
    await db.close()
    other.close()
  })

  it('the running server uses settings with which a commit is on disk', async () => {
    await using app = await openTestApp()
    const { writer, reader } = app.app.db.engine
    const setting = (name: string) => {
      const [row] = rowsNow(writer, `pragma ${name}`)
      return Object.values(row!)[0]
    }
    expect(['journal_mode', 'synchronous', 'foreign_keys'].map(setting)).to.deep.equal(['wal', 2, 1])
    expect(() => reader.execute('delete from accounts', [])).to.throw('readonly')
    const orphan = inTransaction(app.app.db, (tx) => tx.sql.insertInto('addresses').values({
      id: 'x', account_id: 'nobody', mode: 'live', address: 'x', alias: 'x', created_at: 0, expires_at: 0, is_expired: 0, is_bound: 1,
    }).execute())
    expect(await orphan.catch((error: Error) => error.message)).to.include('FOREIGN KEY')
  })

  it('limits the page cache of the reader to 8 MB, and that of the other connections to 2 MB', async () => {
    const db = await open()
    const { writer, reader, snapshots } = db.engine
    const sizes = [writer, reader, snapshots].map((connection) => rowsNow(connection, 'pragma cache_size'))
    expect(sizes).to.deep.equal([2, 8, 2].map((megabytes) => [{ cache_size: -megabytes * 1024 }]))
    await db.close()
    expect(readdirSync(folder).filter((name) => name.endsWith('-wal'))).to.deep.equal([]) // the writer is closed last
  })

  it('closes all connections', async function () {
    if (!existsSync('/proc/self/fd')) return this.skip()
    const db = await open()
    await inTransaction(db, (tx) => insertAccount(tx, 'a@example.org'))
    await db.execute('select 1', [])
    await db.close()
    const openFiles = readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)]
      } catch {
        return []
      }
    })
    expect(openFiles.filter((name) => name.startsWith(folder))).to.deep.equal([])
  })
})
