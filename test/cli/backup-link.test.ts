import { expect } from 'chai'
import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expectFailure, useDatabaseFolder } from './database-folder.ts'

describe('CLI: backup to a symbolic link', function () {
  const folder = useDatabaseFolder()
  const { run, createAccount, accounts } = folder
  let link: string
  beforeEach(async () => {
    link = join(folder.path, 'link.db')
    await createAccount('ada@example.org')
  })

  it('refuses a link to the database or one of its files, also with --force, whichever name MAYFLY_DATABASE has', async () => {
    for (const suffix of ['', '-wal', '-server']) {
      const name = join(folder.path, `link${suffix}.db`)
      await symlink(`data/mayfly.db${suffix}`, name)
      for (const database of [folder.database, link]) {
        expectFailure(await run(['backup', name, '--force'], database), /link\S*\.db belongs to the database itself\. Name another file\./)
      }
      expect(lstatSync(name).isSymbolicLink()).to.equal(true)
    }
    await createAccount('grace@example.org')
    expect(await accounts(link)).to.deep.equal(['ada@example.org', 'grace@example.org'])
  })

  it('writes to the target of another link, which stays a link', async () => {
    const backups = join(folder.path, 'backups')
    await mkdir(backups)
    await symlink('backups/copy.db', link)
    const made = JSON.parse((await run(['backup', link, '--json'])).stdout) as { file: string }
    expect(made.file).to.equal(join(realpathSync(backups), 'copy.db'))
    expectFailure(await run(['backup', link]), /link\.db exists\. Name another file, or replace it with --force\./)
    await createAccount('grace@example.org')
    expect((await run(['backup', link, '--force'])).code).to.equal(0)
    expect(readlinkSync(link)).to.equal('backups/copy.db')
    expect(readdirSync(backups)).to.deep.equal(['copy.db'])
    expect(await accounts(join(backups, 'copy.db'))).to.deep.equal(['ada@example.org', 'grace@example.org'])
  })
})
