import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openDnsServer } from '../support/dns-server.ts'

describe('Forwarding loops: two servers that forward to each other', () => {
  it('end after at most one extra delivery', async () => {
    await using dns = await openDnsServer({ 'a.example': { A: ['127.0.0.1'] }, 'b.example': { A: ['127.0.0.1'] } })
    const env = { MAYFLY_OUTBOUND: 'direct', MAYFLY_ALLOW_PRIVATE_MX: 'true', MAYFLY_DNS_SERVERS: dns.servers }
    await using a = await openTestApp({ env: { ...env, MAYFLY_DEFAULT_DOMAIN: 'a.example' } })
    await using b = await openTestApp({ env: { ...env, MAYFLY_DEFAULT_DOMAIN: 'b.example' }, mxPort: a.smtp.port })
    a.app.network.mxPort = b.smtp.port // the ports are known only when the servers listen

    const atA = await a.newAddress({ alias: 'ada' })
    const atB = await b.newAddress({ alias: 'bob' })
    await forwardTo(a, atA.id, 'bob@b.example', b, atB.id)
    await forwardTo(b, atB.id, 'ada@a.example', a, atA.id)

    await a.send({ to: 'ada@a.example', subject: 'round and round' })
    for (let round = 0; round < 5; round++) {
      await a.settled()
      await b.settled()
    }
    const rounds = async (app: TestApp) => (await app.listEmails()).filter(({ subject }) => subject === 'round and round')
    const [back, first] = await rounds(a)
    expect(await rounds(a)).to.have.length(2)
    expect(await rounds(b)).to.have.length(1)
    const stopped = (await a.api('GET', `/emails/${back!.id}`)).body.data
    expect(stopped.forwarding).to.include({ to: 'bob@b.example', status: 'failed', sentAt: null })
    expect(stopped.forwarding.failureReason).to.match(/^Not forwarded: .*circles/)
    expect((await a.api('GET', `/emails/${first!.id}`)).body.data.forwarding).to.include({ to: 'bob@b.example', status: 'sent' })
  })
})

/** Forwards an address to an address at another server, where the verification mail arrives. */
async function forwardTo(app: TestApp, addressId: string, email: string, there: TestApp, mailboxId: string) {
  const { body: { data: { id } } } = await app.api('POST', '/forwarding-addresses', { body: { email } })
  await app.settled()
  const { links } = await there.onlyEmail(mailboxId)
  expect((await fetch(links[0]!.url.replace(app.app.baseUrl(), app.url), { method: 'POST' })).status).to.equal(200)
  const rule = await app.api('PATCH', `/addresses/${addressId}/forwarding`, { body: { forwardToId: id } })
  expect(rule.status).to.equal(200)
}
