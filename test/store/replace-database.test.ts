import { execFileSync } from 'node:child_process'
import fs, { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { systemClock } from '../../server/clock.ts'
import { backUp, restore } from '../../server/store/copies.ts'
import { openDatabase } from '../../server/store/database.ts'

const { renameSync } = fs

describe('Restore: the moment before the rename', () => {
  let folder: string
  let database: string
  let file: string
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-replace-'))
    database = join(folder, 'mayfly.db')
    file = join(folder, 'copy.db')
    await (await openDatabase(database, systemClock)).close()
    await backUp(database, file, { overwrite: false, minFreeBytes: 0, signal: new AbortController().signal })
  })
  afterEach(() => {
    setRename(renameSync)
    rmSync(folder, { recursive: true })
  })

  /** Replaces `renameSync` of all modules. */
  function setRename(rename: typeof renameSync) {
    fs.renameSync = rename
    syncBuiltinESMExports()
  }
  function beforeReplacement(run: () => void) {
    setRename((from, to) => {
      if (to === database) run()
      renameSync(from, to)
    })
  }
  const restoreFile = () => restore(file, database, { force: true, withoutLog: false, stamp: '1' })
  const names = () => readdirSync(folder).sort()

  it('another process cannot write into the old database', () => {
    const outcomes: string[] = []
    beforeReplacement(() => { outcomes.push(writeInOtherProcess(database), names().join(' ')) })
    expect(restoreFile()).to.equal(`${database}-replaced-1`)
    expect(outcomes).to.deep.equal(['SQLITE_BUSY', 'copy.db mayfly.db mayfly.db-replaced-1 mayfly.db-restoring mayfly.db-server'])
    expect(writeInOtherProcess(database)).to.equal('written')
    expect(names()).to.deep.equal(['copy.db', 'mayfly.db', 'mayfly.db-replaced-1', 'mayfly.db-server'])
  })

  it('an error leaves the old database with its one name', () => {
    beforeReplacement(() => { throw new Error('no rename') })
    expect(restoreFile).to.throw('no rename')
    expect(names()).to.deep.equal(['copy.db', 'mayfly.db', 'mayfly.db-server'])
    expect(writeInOtherProcess(database)).to.equal('written')
  })
})

/** @returns `written`, or the code of SQLite's error */
function writeInOtherProcess(file: string): string {
  const program = `const database = new (require('better-sqlite3'))(process.argv[1], { timeout: 0 })
    try { database.exec('create table t (x)'); console.log('written') } catch (error) { console.log(error.code) }`
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  return execFileSync(process.execPath, ['-e', program, file], { cwd, encoding: 'utf8' }).trim()
}
