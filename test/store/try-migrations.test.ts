import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { tryMigrations } from '../../server/store/copies.ts'
import { createOlderDatabase } from '../support/store/database-files.ts'

describe('Trial of migrations', () => {
  let folder: string
  beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'mayfly-trial-')) })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('removes its copy when it is interrupted between two migrations', async () => {
    const database = join(folder, 'mayfly.db')
    await createOlderDatabase(database)
    const interrupt = new AbortController()
    let copies: string[] = []
    const clock = { // is read when the copy is complete
      now() {
        copies = readdirSync(folder).filter((name) => name === `mayfly.db-dry-run-${process.pid}`)
        interrupt.abort(new Error('interrupted'))
        return 0
      },
      at: () => () => {},
    }
    const trial = tryMigrations(database, clock, { minFreeBytes: 0, signal: interrupt.signal })
    expect(await trial.catch((error: Error) => error.message)).to.equal('interrupted')
    expect(copies).to.have.length(1)
    expect(readdirSync(folder)).to.deep.equal(['mayfly.db'])
  })
})
