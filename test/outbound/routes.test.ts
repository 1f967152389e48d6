import { expect } from 'chai'
import { openResolver } from '../../server/outbound/dns.ts'
import type { Resolver } from '../../server/outbound/dns.ts'
import { mailRoutes } from '../../server/outbound/routes.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer } from '../support/dns-server.ts'

describe('Mail routes', () => {
  let dns: DnsServer
  let resolver: Resolver
  before(async () => {
    dns = await openDnsServer()
    resolver = openResolver([dns.servers], { lifetimeMs: 0 })
  })
  after(async () => {
    resolver.close()
    await dns[Symbol.asyncDispose]()
  })

  const mx = (priority: number, exchange: string) => ({ exchange, priority })
  const namesFor = async (domain: string) => {
    const routes = await mailRoutes(resolver, domain)
    return routes.kind === 'hosts' ? routes.hosts.map(({ name }) => name) : routes
  }

  it('are the MX hosts, the lowest preference number first', async () => {
    dns.zone['example.org'] = { A: ['192.0.2.1'], MX: [mx(20, 'b.example.org'), mx(5, 'A.Example.org'), mx(30, 'c.example.org')] }
    dns.zone['a.example.org'] = { A: ['192.0.2.5'], AAAA: ['2001:db8::5'] }
    expect(await namesFor('example.org')).to.deep.equal(['a.example.org', 'b.example.org', 'c.example.org'])
    const routes = await mailRoutes(resolver, 'example.org')
    if (routes.kind !== 'hosts') throw new Error(routes.reason)
    expect(await routes.hosts[0]!.addresses()).to.deep.equal({ kind: 'found', records: ['192.0.2.5', '2001:db8::5'] })
    expect(await routes.hosts[1]!.addresses()).to.deep.equal({ kind: 'none' })
  })

  it('have hosts of equal preference in random order', async () => {
    dns.zone['even.example'] = { MX: [mx(1, 'a.example'), mx(1, 'b.example'), mx(2, 'c.example')] }
    const orders = new Set<string>()
    for (let i = 0; i < 100 && orders.size < 2; i++) orders.add(JSON.stringify(await namesFor('even.example')))
    expect([...orders].sort()).to.deep.equal(['["a.example","b.example","c.example"]', '["b.example","a.example","c.example"]'])
  })

  it('are the domain itself when it has an address but no MX', async () => {
    dns.zone['plain.example'] = { AAAA: ['2001:db8::7'] }
    expect(await namesFor('plain.example')).to.deep.equal(['plain.example'])
  })

  it('are refused when no host accepts mail', async () => {
    dns.zone['null.example'] = { MX: [mx(0, '.')], A: ['192.0.2.1'] }
    dns.zone['literal.example'] = { MX: [mx(0, '192.0.2.1')], A: ['192.0.2.1'] }
    dns.zone['empty.example'] = { TXT: ['nothing else'] }
    for (const [domain, reason] of [
      ['null.example', 'null.example takes no mail'],
      ['literal.example', 'No mail server: literal.example names none that can be used'],
      ['empty.example', 'No mail server: empty.example has none'],
      ['gone.example', 'No mail server: gone.example does not exist'],
      ['not a name', 'No mail server: not a name does not exist'],
    ] as const) expect(await namesFor(domain), domain).to.deep.equal({ kind: 'refused', reason })
  })

  it('leave out MX hosts that are IP addresses, and a null MX among others', async () => {
    dns.zone['mixed.example'] = { MX: [mx(0, '192.0.2.1'), mx(1, '.'), mx(2, 'mx.example'), mx(3, 'mx.example')] }
    expect(await namesFor('mixed.example')).to.deep.equal(['mx.example'])
  })

  it('are ten at most', async () => {
    dns.zone['many.example'] = { MX: Array.from({ length: 12 }, (_, i) => mx(i, `mx${i}.example`)) }
    expect(await namesFor('many.example')).to.have.length(10)
  })

  it('are deferred when the DNS does not answer', async () => {
    dns.zone['dead.example'] = 'SERVFAIL'
    expect(await namesFor('dead.example'))
      .to.deep.equal({ kind: 'later', reason: 'The DNS lookup of dead.example failed: the server failed' })
  })
})
