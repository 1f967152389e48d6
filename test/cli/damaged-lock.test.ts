import { expect } from 'chai'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectFailure, useDatabaseFolder } from './database-folder.ts'

describe('CLI: a damaged lock of a database', function () {
  const folder = useDatabaseFolder()

  it('that a power failure has left as zeros is named, with the way out, by each command that needs it', async () => {
    await folder.createAccount('ada@example.org')
    const file = join(folder.path, 'copy.db')
    await folder.run(['backup', file])
    const lock = `${folder.database}-server`
    await writeFile(lock, Buffer.alloc(4096))
    const named = /^mayfly: MAYFLY_DATABASE: \S+mayfly\.db has a damaged lock \(mayfly\.db-server\).* remove the file \S+mayfly\.db-server: it has no data\.$/m
    for (const command of [['serve'], ['restore', file, '--force'], ['migrate']]) expectFailure(await folder.run(command), named)
    expect((await folder.run(['doctor'])).stdout).to.match(/\nproblem {2}database +\S+mayfly\.db has a damaged lock .*\n +→ .* remove the file \S+-server/)
    await rm(lock)
    await using served = await folder.startServer()
    expect(served.lines.at(-1)).to.match(/^listening /)
    expect(await folder.accounts()).to.deep.equal(['ada@example.org'])
  })

  it('does not keep the log of a killed server from the commands', async () => {
    {
      await using served = await folder.startServer()
      await served.stop('SIGKILL')
    }
    await writeFile(`${folder.database}-server`, Buffer.alloc(8192))
    const file = join(folder.path, 'copy.db')
    expect((await folder.run(['backup', file])).code).to.equal(0)
    expect(await folder.accounts(file)).to.deep.equal(['owner@mail.localhost'])
  })
})
