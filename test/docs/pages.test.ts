import { expect } from 'chai'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openTestApp } from '../support/app.ts'
import { runPage } from '../support/page-commands.ts'
import { createAccount } from '../support/store/accounts.ts'

describe('Documents: the commands of a page run', function () {
  this.timeout(90_000)

  it('docs/command-line.md', async () => {
    await using app = await openTestApp({ isRealTime: true })
    const { code, output } = await runPage('docs/command-line.md', { HOME: app.folder, MAYFLY_BASE_URL: app.url, MAYFLY_API_KEY: app.key })
    expect(code, output).to.equal(0)
    expect(output).to.include('Your code is 482913.').and.include('--expires-in: at least 60s').and.include('mayfly-verify=')
  })

  it('docs/testing-with-keys.md', async () => {
    await using app = await openTestApp({ isRealTime: true })
    await createAccount(app, 'owner@mail.localhost', 'business')
    const { code, output } = await runPage('docs/testing-with-keys.md', {
      HOME: app.folder, MAYFLY_BASE_URL: app.url, MAYFLY_DATABASE: join(app.folder, 'mayfly.db'),
    })
    expect(code, output).to.equal(0)
    expect(output).to.match(/^482913$/m).and.include('This call asked for the status 503').and.include('This call asked for the status 429')
  })

  it('docs/mock.md', async () => {
    const port = await freePort()
    const { code, output } = await runPage('docs/mock.md', { HOME: '/nonexistent' }, (text) => text
      .replaceAll('4010', String(port)).replaceAll('cli/mayfly.js mock', `cli/mayfly.js mock --port ${port}`))
    expect(code, output).to.equal(0)
    expect(output).to.include('query.limit: must be <= 100.').and.include('There is no email with this id.').and.include('متجر السوق')
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
