import { expect } from 'chai'
import { hello } from '../smtp/mailbox.ts'
import { callAt, openCells } from '../support/cells.ts'
import type { TestCell, TestCells } from '../support/cells.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer } from '../support/dns-server.ts'
import { mxHost, toWorld } from '../support/domains.ts'
import { playSession } from '../support/play-session.ts'
import type { Step } from '../support/play-session.ts'
import { createApiKey, revokeApiKey } from '../support/store/accounts.ts'

describe('Cells: a name at another cell', () => {
  let world: TestCells
  let dns: DnsServer
  let [a, b, c]: TestCell[] = []
  before(async () => {
    dns = await openDnsServer()
    world = await openCells(3, { env: { MAYFLY_DNS_SERVERS: dns.servers, MAYFLY_MX_HOST: mxHost } });
    [a, b, c] = world.cells
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
  })

  it('is found there after it has moved, by one 503 at most', async () => {
    const { id, key } = await createApiKey(b!, b!.account)
    expect((await callAt(a!, key, 'GET', '/addresses')).status).to.equal(200)
    await createApiKey(c!, c!.account, { value: key })
    await revokeApiKey(b!, id)
    expect((await callAt(a!, key, 'POST', '/addresses', {})).status).to.equal(503)
    const moved = await callAt(a!, key, 'POST', '/addresses', {})
    expect(moved.body.data.address).to.match(/@c\.mail\.example$/)
  })

  it('is a domain that an account there has verified: it stays pending here, and its mail goes there', async () => {
    const [atA, atB] = [toWorld(a!, dns, async () => {}), toWorld(b!, dns, async () => {})]
    await atB.hold('qa.example.net')
    const { body: { data: { id } } } = await b!.api('POST', '/addresses', { body: { alias: 'tests', domain: 'qa.example.net' } })
    const second = await atA.add('qa.example.net')
    atA.point(second)
    expect(await atA.verify(second.id)).to.deep.include({ status: 409, body: { error: 'qa.example.net is in use already.', code: 'CONFLICT' } })
    expect(await atA.statusOf(second.id)).to.equal('pending')
    await playSession(a!.smtp, [
      hello, ['MAIL FROM:<shop@example.org>', 250], ['RCPT TO:<tests@qa.example.net>', 250], ['RCPT TO:<other@qa.example.net>', 550],
      ['DATA', 354], ['Subject: Custom\r\n\r\nx\r\n.', 250], ['QUIT', 221],
    ])
    expect((await b!.onlyEmail(id)).subject).to.equal('Custom')
  })

  it('is an address whose domain another cell has now: its mail is 451 once, and never 550', async () => {
    const [atB, atC] = [toWorld(b!, dns, async () => {}), toWorld(c!, dns, async () => {})]
    const held = await atB.hold('moving.example.net')
    const address = { alias: 'tests', domain: 'moving.example.net' }
    await b!.api('POST', '/addresses', { body: address })
    const rcpt: Step[] = [hello, ['MAIL FROM:<shop@example.org>', 250]]
    await playSession(a!.smtp, [...rcpt, ['RCPT TO:<tests@moving.example.net>', 250]])
    await b!.api('DELETE', `/domains/${held.id}`)
    await atC.hold('moving.example.net')
    await c!.api('POST', '/addresses', { body: address })
    await playSession(a!.smtp, [...rcpt, ['RCPT TO:<tests@moving.example.net>', 451], ['RCPT TO:<tests@moving.example.net>', 250]])
  })

  it('is none that an account here may have as its own domain', async () => {
    for (const domain of ['b.mail.example', 'x.b.mail.example', 'mail.example']) {
      expect((await a!.api('POST', '/domains', { body: { domain } })).status).to.equal(400)
    }
  })
})
