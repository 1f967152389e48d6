import { expect } from 'chai'
import { openResolver } from '../../server/outbound/dns.ts'
import type { Resolver } from '../../server/outbound/dns.ts'
import { openMtaSts } from '../../server/outbound/mta-sts.ts'
import { sendMail } from '../../server/outbound/send-mail.ts'
import type { MailTarget } from '../../server/outbound/send-mail.ts'
import { openSendingWorld, sendEmail } from '../sending/world.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer } from '../support/dns-server.ts'
import { openReceiver } from '../support/receiver.ts'
import { shortMail } from './mails.ts'
import { openScriptedServer } from './scripted-server.ts'

const inside = { kind: 'refused', reason: 'No mail server: those of example.org are not on the public internet' }

describe('Private MX addresses: direct delivery', () => {
  let dns: DnsServer
  let resolver: Resolver
  before(async () => { dns = await openDnsServer() })
  after(() => dns[Symbol.asyncDispose]())
  beforeEach(() => {
    resolver = openResolver([dns.servers], { lifetimeMs: 0 })
    for (const domain of Object.keys(dns.zone)) delete dns.zone[domain]
    dns.zone['example.org'] = { MX: [{ exchange: 'mx.example.org', priority: 1 }] }
  })
  afterEach(() => resolver.close())

  const send = (port: number, changes: Partial<MailTarget> = {}) => sendMail(
    {
      kind: 'direct', resolver, mtaStsPolicies: openMtaSts({ resolver, allowPrivate: false }), domain: 'example.org', port, allowPrivate: false, ...changes,
    } as MailTarget, shortMail, { name: 'mayfly.example', timeouts: { connectionMs: 2_000 } })
  /** Counts as public here, because tests make no connection to other hosts. */
  const isPublic = (ip: string) => ip === '127.0.0.2'

  it('connects to none of any kind, and shows no reply of a private host', async () => {
    await using server = await openScriptedServer({ greeting: '554 secret of the inner network' }, '0.0.0.0')
    for (const ip of [
      '127.0.0.1', '127.1.2.3', '0.0.0.0', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '168.63.129.16', '198.18.0.1',
      '::1', '::', 'fd00::1', 'fe80::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::',
    ]) {
      dns.zone['mx.example.org'] = ip.includes(':') ? { AAAA: [ip] } : { A: [ip] }
      expect(await send(server.port), ip).to.deep.equal(inside)
    }
    expect(server.connections).to.equal(0)
  })

  it('connects to none by the address of a domain without MX, nor through a CNAME', async () => {
    await using server = await openScriptedServer({})
    dns.zone['example.org'] = { A: ['127.0.0.1'] }
    expect(await send(server.port)).to.deep.equal(inside)
    dns.zone['example.org'] = { MX: [{ exchange: 'alias.example.org', priority: 1 }] }
    dns.zone['alias.example.org'] = { CNAME: ['mx.example.org'] }
    dns.zone['mx.example.org'] = { A: ['127.0.0.1'] }
    expect(await send(server.port)).to.deep.equal(inside)
    expect(server.connections).to.equal(0)
  })

  it('uses the public address of a host, and the next host, and skips private ones', async () => {
    await using trap = await openReceiver()
    await using receiver = await openReceiver({ at: { host: '127.0.0.2', port: trap.port } })
    dns.zone['mx.example.org'] = { A: ['127.0.0.1', '127.0.0.2'] }
    expect(await send(trap.port, { isPublic })).to.include({ kind: 'sent', host: 'mx.example.org' })
    dns.zone['example.org'] = { MX: [{ exchange: 'inner.example.org', priority: 1 }, { exchange: 'mx.example.org', priority: 2 }] }
    dns.zone['inner.example.org'] = { A: ['127.0.0.1'] }
    expect(await send(trap.port, { isPublic })).to.include({ kind: 'sent', host: 'mx.example.org' })
    expect([receiver.mails.length, trap.connections]).to.deep.equal([2, 0])
  })

  it('connects to the checked address when the name changes it right after (DNS rebinding)', async () => {
    await using trap = await openReceiver()
    await using receiver = await openReceiver({ at: { host: '127.0.0.2', port: trap.port } })
    let asked = 0
    Object.defineProperty(dns.zone, 'mx.example.org', {
      configurable: true, enumerable: true,
      get: () => dns.questions.at(-1)!.type === 'AAAA' ? {} : { A: [++asked === 1 ? '127.0.0.2' : '127.0.0.1'] },
    })
    expect(await send(trap.port, { isPublic })).to.include({ kind: 'sent' })
    expect(asked).to.equal(1)
    expect(await send(trap.port, { isPublic })).to.deep.equal(inside)
    expect([receiver.connections, trap.connections]).to.deep.equal([1, 0])
  })

  it('waits while the address of a host that may be public cannot be looked up', async () => {
    dns.zone['example.org'] = { MX: [{ exchange: 'inner.example.org', priority: 1 }, { exchange: 'dead.example.org', priority: 2 }] }
    dns.zone['inner.example.org'] = { A: ['127.0.0.1'] }
    dns.zone['dead.example.org'] = 'SERVFAIL'
    expect(await send(25)).to.deep.equal({ kind: 'deferred', reason: 'The DNS lookup of dead.example.org failed: the server failed' })
  })

  it('fails by default, as the email shows, and succeeds with MAYFLY_ALLOW_PRIVATE_MX=true', async () => {
    for (const [allow, connections] of [['false', 0], ['true', 1]] as const) {
      await using world = await openSendingWorld({ env: { MAYFLY_ALLOW_PRIVATE_MX: allow } })
      const email = await sendEmail(world.app, world.from.id)
      await world.app.settled()
      expect(await email.read()).to.include(allow === 'true' ? { status: 'sent', failureReason: null } : { status: 'failed', failureReason: inside.reason })
      expect(world.receiver.connections).to.equal(connections)
      expect(world.dns.questions.some(({ name, type }) => name.startsWith('_mta-sts.') && type === 'TXT')).to.equal(true)
    }
  })
})
