import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { once } from 'node:events'
import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { systemClock } from '../../server/clock.ts'
import { openDatabase } from '../../server/store/database.ts'
import type { Database } from '../../server/store/database.ts'

describe('Mark of a log: a copy of the database file alone', () => {
  let folder: string
  let file: string
  let server: Database
  const open = () => openDatabase(file, systemClock)
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-mark-'))
    file = join(folder, 'mayfly.db')
    server = await open()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Copies the file alone. @returns whether the copy is opened */
  async function isCopyOpened() {
    const copy = join(folder, 'copy.db')
    copyFileSync(file, copy)
    try {
      await (await openDatabase(copy, systemClock)).close()
      return true
    } catch (error) {
      expect((error as Error).message).to.include('is a copy without its log (copy.db-wal)')
      return false
    } finally {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${copy}${suffix}`, { force: true })
    }
  }

  it('is refused from the claim of the server until it is closed', async () => {
    server.engine.file!.claim()
    expect(await isCopyOpened()).to.equal(false)
    server.engine.file!.checkpoint()
    expect(await isCopyOpened()).to.equal(false)
    await server.close()
    expect(await isCopyOpened()).to.equal(true)
  })

  it('is refused after a command, and a thread of the server, have closed the database', async () => {
    server.engine.file!.claim()
    await (await open()).close()
    expect(await isCopyOpened()).to.equal(false)
    const database = new URL('../../server/store/database.ts', import.meta.url).href
    const thread = new Worker(`import(${JSON.stringify(database)}).then(async ({ openDatabase }) =>
      (await openDatabase(${JSON.stringify(file)}, { now: Date.now, at: () => () => {} }, { migrate: false })).close())`, { eval: true })
    expect(await once(thread, 'exit')).to.deep.equal([0])
    server.engine.file!.checkpoint()
    expect(await isCopyOpened()).to.equal(false)
    await server.close()
  })

  it('is refused once no other process reads a state from before the start of the server', async () => {
    const reading = new Sqlite(file, { readonly: true })
    reading.exec('begin')
    reading.prepare('select count(*) from accounts').get()
    server.engine.file!.claim()
    expect(await isCopyOpened()).to.equal(true)
    reading.exec('commit')
    server.engine.file!.expectLog()
    expect(await isCopyOpened()).to.equal(false)
    reading.close()
    await server.close()
  })
})
