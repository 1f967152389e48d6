import { expect } from 'chai'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expectFailure, useDatabaseFolder } from './database-folder.ts'

describe('CLI: MAYFLY_DATABASE as a symbolic link', function () {
  const folder = useDatabaseFolder()
  const refused = /MAYFLY_DATABASE: another server(, process \d+,)? runs on \S+\/mayfly\.db\. Stop it first/
  let link: string
  beforeEach(async () => {
    link = join(folder.path, 'link.db')
    await symlink(join('middle', 'link.db'), link)
    await mkdir(join(folder.path, 'data'))
    await mkdir(join(folder.path, 'middle'))
    await symlink(join('..', 'data', 'mayfly.db'), join(folder.path, 'middle', 'link.db'))
  })

  it('a server that was started by the link has the lock of the target, and the reverse', async () => {
    const file = join(folder.path, 'copy.db')
    {
      await using served = await folder.startServer(link)
      expect((await folder.run(['backup', file], link)).code).to.equal(0)
      expectFailure(await folder.run(['serve']), refused)
      expectFailure(await folder.run(['restore', file, '--force']), refused)
      expectFailure(await folder.run(['restore', link], join(folder.path, 'new.db')), /A server runs on \S+mayfly\.db\./)
      expect((await served.stop()).code).to.equal(0)
    }
    await using served = await folder.startServer()
    expect(served.lines.at(-1)).to.match(/^listening /)
    expectFailure(await folder.run(['serve'], link), refused)
    expectFailure(await folder.run(['restore', file, '--force'], link), refused)
  })

  it('a missing database is made at the target, replaced there, and has all of its files there', async () => {
    expect((await folder.run(['account', 'create', '--email', 'ada@example.org', '--plan', 'free'], link)).code).to.equal(0)
    expect(existsSync(folder.database)).to.equal(true)
    const file = join(folder.path, 'copy.db')
    await folder.run(['backup', file], link)
    await folder.createAccount('grace@example.org')
    const { database, replaced } = JSON.parse((await folder.run(['restore', file, '--force', '--json'], link)).stdout)
    expect(database).to.equal(realpathSync(folder.database))
    expect(await folder.accounts()).to.deep.equal(['ada@example.org'])
    expect(await folder.accounts(link)).to.deep.equal(['ada@example.org'])
    expect(await folder.accounts(replaced)).to.deep.equal(['ada@example.org', 'grace@example.org'])
    expect(readdirSync(folder.path).sort()).to.deep.equal(['copy.db', 'data', 'link.db', 'middle'])
  })

  it('a circle of links is refused', async () => {
    const circle = join(folder.path, 'circle.db')
    await symlink('circle.db', circle)
    expectFailure(await folder.run(['serve'], circle), /MAYFLY_DATABASE: \S+circle\.db is a symbolic link that leads back to itself\. Let it point to a file/)
  })
})
