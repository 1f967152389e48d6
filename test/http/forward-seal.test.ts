import { expect } from 'chai'
import { authenticate } from 'mailauth'
import type { ARCResult, AuthenticateResult, DMARCResult, SPFResult } from 'mailauth'
import { Resolver } from 'node:dns/promises'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer } from '../support/dns-server.ts'
import { openForwardingWorld } from '../support/forwarding.ts'
import type { ForwardingWorld } from '../support/forwarding.ts'
import type { ReceivedMail } from '../support/receiver.ts'
import { newKey } from '../support/signed-mail.ts'

const ours = newKey('relay.example', { selector: 'mayfly' })
const theirs = newKey('example.org')
const dkim = { domainName: theirs.domain, keySelector: theirs.selector, privateKey: theirs.privateKey }

/** The results of the next host's checks of a mail that it gets from 127.0.0.1. */
type Findings = AuthenticateResult & { spf: SPFResult, dmarc: DMARCResult, arc: ARCResult }

describe('Forwarding: DKIM, ARC and SPF of a forwarded mail', () => {
  let dns: DnsServer
  let folder: string
  let world: ForwardingWorld
  let address: { id: string, address: string }

  before(async () => {
    dns = await openDnsServer({
      'example.org': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
      '_dmarc.example.org': { TXT: ['v=DMARC1; p=reject'] },
      [theirs.name]: { TXT: [theirs.record] },
      'relay.example': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
      [ours.name]: { TXT: [ours.record] },
    })
    folder = await mkdtemp(join(tmpdir(), 'mayfly-key-'))
    await writeFile(join(folder, 'key.pem'), ours.privateKey)
    world = await openForwardingWorld({
      env: { MAYFLY_DNS_SERVERS: dns.servers, MAYFLY_DEFAULT_DOMAIN: 'relay.example', MAYFLY_DKIM_KEY: join(folder, 'key.pem') },
    })
    address = await forwardedAddress(world)
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  async function forward(mail: SendMailOptions): Promise<ReceivedMail> {
    await world.app.send({ to: address.address, ...mail })
    await world.app.settled()
    return world.receiver.next()
  }

  async function examine({ source, sender, helo }: ReceivedMail) {
    const resolver = new Resolver()
    resolver.setServers([dns.servers])
    const resolve = (name: string, type: string) => resolver.resolve(name, type)
    return await authenticate(source, { ip: '127.0.0.1', sender, helo, resolver: resolve as never, disableBimi: true }) as Findings
  }

  it('keeps a DKIM signature that verifies at the destination, and passes SPF with its new envelope sender', async () => {
    const mail = await forward({ subject: 'Grüße', text: 'Hello  \n\n.\n', html: '<p>Hello', dkim })
    expect(mail.sender).to.match(/^bounce=.+@relay\.example$/)
    const found = await examine(mail)
    expect(found.dkim.results.map(({ status, signingDomain }) => [status.result, signingDomain])).to.deep.equal([['pass', 'example.org']])
    expect([found.spf.status.result, found.spf.domain]).to.deep.equal(['pass', 'relay.example'])
    expect(found.dmarc.status.result).to.equal('pass')
  })

  it('has an ARC seal that verifies, with the results of this server', async () => {
    const mail = await forward({ subject: 'sealed', text: 'Hello\n', dkim })
    expect(mail.sourceText).to.match(/^ARC-Seal: i=1; .*d=relay\.example/s)
    const { arc } = await examine(mail)
    expect(arc.status.result).to.equal('pass')
    const { mta, spf, dkim: signatures, dmarc } = arc.authenticationResults as Record<string, any>
    expect(mta).to.equal('relay.example')
    expect([spf.result, signatures[0].result, dmarc.result]).to.deep.equal(['pass', 'pass', 'pass'])
  })

  it('is sealed also when it is several megabytes long', async () => {
    const content = Buffer.alloc(4 * 2 ** 20, 'attachment ')
    const mail = await forward({ subject: 'long', text: 'Hello\n', attachments: [{ filename: 'a.bin', content }], dkim })
    const found = await examine(mail)
    expect(found.dkim.results.map(({ status }) => status.result)).to.deep.equal(['pass'])
    expect(found.arc.status.result).to.equal('pass')
  })

  it('has a seal for a mail of which no authentication passed', async () => {
    const mail = await forward({ subject: 'forged', text: 'Hello\n', from: 'boss@nowhere.example', envelope: { from: 'x@nowhere.example', to: address.address } })
    const { arc } = await examine(mail)
    expect(arc.status.result).to.equal('pass')
    const { spf, dmarc } = arc.authenticationResults as Record<string, any>
    expect([spf.result, dmarc.result]).to.deep.equal(['none', 'none'])
  })

  it('is sent without a seal, with its signature intact, when the server has no DKIM key', async () => {
    await using plain = await openForwardingWorld({ env: { MAYFLY_DNS_SERVERS: dns.servers, MAYFLY_DEFAULT_DOMAIN: 'relay.example' } })
    const { address: to } = await forwardedAddress(plain)
    await plain.app.send({ to, subject: 'plain', text: 'Hello\n', dkim })
    await plain.app.settled()
    const mail = await plain.receiver.next()
    expect(mail.sourceText).to.match(/^Received: /).and.not.include('ARC-')
    expect((await examine(mail)).dkim.results.map(({ status }) => status.result)).to.deep.equal(['pass'])
  })

  it('has the signature of this server when it was sent by this server', async () => {
    const from = await world.app.newAddress()
    const sent = await world.app.api('POST', '/emails', {
      body: { fromAddressId: from.id, to: 'bob@example.com', subject: 'Ours', body: 'Hello\n', bodyHtml: '<p>Hello' },
    })
    expect(sent.status).to.equal(202)
    await world.app.settled()
    const found = await examine(await world.receiver.next())
    expect(found.dkim.results.map(({ status, signingDomain }) => [status.result, signingDomain])).to.deep.equal([['pass', 'relay.example']])
    expect(found.spf.status.result).to.equal('pass')
  })
})

async function forwardedAddress({ app, newVerified }: ForwardingWorld) {
  const { id } = await newVerified()
  const address = await app.newAddress()
  const rule = await app.api('PATCH', `/addresses/${address.id}/forwarding`, { body: { forwardToId: id } })
  if (rule.status !== 200) throw new Error(JSON.stringify(rule.body))
  return address
}
