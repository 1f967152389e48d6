import { expect } from 'chai'
import type { Transport } from '@modelcontextprotocol/client'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openMock } from '../support/mock.ts'
import { eras, httpTransport, openClient, stdioTransport } from './mcp-client.ts'
import { signUpMail, useEveryTool } from './every-tool.ts'

const transports: Record<string, (url: string, key: string) => Transport> = {
  'HTTP': (url, key) => httpTransport([url], key),
  'stdio': stdioTransport,
}

describe('MCP: tools', function () {

  let world: TestApp
  before(async () => { world = await openTestApp({ isRealTime: true }) })
  after(() => world[Symbol.asyncDispose]())

  for (const [name, transport] of Object.entries(transports)) {
    for (const era of eras) {
      it(`are listed and called over ${name}, by a client of the era ${JSON.stringify(era)}`, async () => {
        await using mcp = await openClient(transport(world.url, world.key), era)
        await useEveryTool(mcp, (to) => world.send(signUpMail(to)))
      })
    }
  }

  it('are those that the scopes of the key allow, over both transports', async () => {
    for (const transport of Object.values(transports)) {
      const listed = async (scopes: string[]) => {
        await using mcp = await openClient(transport(world.url, await world.newKey({ scopes })))
        return (await mcp.client.listTools()).tools.map(({ name }) => name)
      }
      expect(await listed(['emails:read'])).to.deep.equal([
        'wait_for_code', 'wait_for_link', 'wait_for_email', 'list_emails', 'search_emails', 'read_email',
      ])
      expect(await listed(['emails:write'])).to.deep.equal(['create_inbox', 'send_email', 'delete_inbox'])
      expect(await listed(['domains:manage'])).to.deep.equal([])
    }
  })

  it('work against the mock, as any client does', async () => {
    await using mock = await openMock()
    await using mcp = await openClient(stdioTransport(mock.url, 'any'))
    const { address } = await mcp.call('create_inbox')
    expect(address).to.match(/@/)
    expect((await mcp.call('wait_for_code', { inbox: '019ceb92-ea80-752e-bca9-6513269e0d37' })).code).to.equal('482913')
  })
})
