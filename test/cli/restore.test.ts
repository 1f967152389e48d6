import { expect } from 'chai'
import { linkSync, readdirSync } from 'node:fs'
import { copyFile, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { copyWithinTransaction, isIntact } from '../support/store/database-files.ts'
import { expectFailure, useDatabaseFolder } from './database-folder.ts'

describe('CLI: restore, the old database and the files beside it', function () {
  const folder = useDatabaseFolder()
  let file: string
  beforeEach(async () => {
    file = join(folder.path, 'copy.db')
    await folder.createAccount('ada@example.org')
    await folder.run(['backup', file])
  })

  async function restore(): Promise<string> {
    const { code, stdout, stderr } = await folder.run(['restore', file, '--force', '--json'])
    expect([code, stderr]).to.deep.equal([0, ''])
    return JSON.parse(stdout).replaced
  }
  /** Names of old databases, and of files beside them. */
  const replacedFiles = () => readdirSync(dirname(folder.database)).filter((name) => name.includes('-replaced-')).sort()
  const nameOf = (stamp: string) => `${folder.database}-replaced-${stamp}`

  it('removes the second name that a killed restore has given to the database', async () => {
    linkSync(folder.database, nameOf('20260101T000000000Z'))
    const replaced = await restore()
    expect(replacedFiles()).to.deep.equal([basename(replaced)])
    expect((await stat(replaced)).nlink).to.equal(1)
    expect(await folder.accounts(replaced)).to.deep.equal(['ada@example.org'])
    const next = await restore()
    expect(replacedFiles()).to.deep.equal([replaced, next].map((name) => basename(name)))
  })

  it('keeps the log of a database that cannot be read with it, also after a restore that was killed', async () => {
    await writeFile(folder.database, 'no database, '.repeat(1000))
    linkSync(folder.database, nameOf('20260101T000000000Z'))
    await writeFile(`${nameOf('20260101T000000000Z')}-wal`, 'its log')
    const replaced = basename(await restore())
    expect(replacedFiles()).to.deep.equal([replaced, `${replaced}-wal`])
    expect(await folder.accounts()).to.deep.equal(['ada@example.org'])
  })

  it('takes back an uncommitted transaction of the file, by its rollback journal', async () => {
    const torn = join(folder.path, 'torn.db')
    copyWithinTransaction(file, torn)
    expect((await folder.run(['restore', torn, '--force'])).code).to.equal(0)
    expect(isIntact(folder.database)).to.equal(true)
    expect(await folder.accounts()).to.deep.equal(['ada@example.org'])
  })

  it('takes back an uncommitted transaction of the old database, and keeps the journal of an empty file away from the new one', async () => {
    const other = join(folder.path, 'other.db')
    await copyFile(file, other)
    copyWithinTransaction(other, folder.database)
    const replaced = await restore()
    expect(await folder.accounts(replaced)).to.deep.equal(['ada@example.org'])

    copyWithinTransaction(other, folder.database)
    await truncate(folder.database)
    const empty = basename(await restore())
    expect(replacedFiles()).to.deep.equal([basename(replaced), empty, `${empty}-journal`])
    expect(isIntact(folder.database)).to.equal(true)
    expect(await folder.accounts()).to.deep.equal(['ada@example.org'])
  })

  it('a rollback journal without its file is refused', async () => {
    const lone = join(folder.path, 'lone.db')
    await writeFile(`${lone}-journal`, 'a journal')
    expectFailure(await folder.run(['serve'], lone), /lone\.db is missing, while its log \(lone\.db-journal\) is there\. Put the file back/)
    expectFailure(await folder.run(['restore', file], lone), /lone\.db exists\. --force moves it aside/)
  })

  it('an old database without its log is still recognized as incomplete under its new name', async () => {
    await using served = await folder.startServer()
    const incomplete = join(folder.path, 'incomplete.db')
    await copyFile(folder.database, incomplete)
    await served.stop()
    const { replaced } = JSON.parse((await folder.run(['restore', file, '--force', '--json'], incomplete)).stdout)
    expect(await folder.accounts(incomplete)).to.deep.equal(['ada@example.org'])
    expectFailure(await folder.run(['account', 'list'], replaced), /is a copy without its log \(\S+-wal\)/)
  })
})
