import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer } from '../support/dns-server.ts'
import { setWebhookUrl } from '../support/store/webhooks.ts'
import { shareWebhooksWorld } from './world.ts'

/** Spellings of private hosts in a URL. */
const forbidden = {
  'loopback': ['127.0.0.1', '127.255.255.254', '127.0.0.1.', '[::1]'],
  'loopback in decimal, octal, hex and short': ['2130706433', '017700000001', '0x7f000001', '0177.0.0.1', '0x7f.1', '127.1', '%31%32%37.0.0.1'],
  'this host by name': ['localhost', 'LOCALHOST', 'localhost.', 'app.localhost'],
  'unspecified': ['0.0.0.0', '0', '0.1.2.3', '[::]'],
  'private': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '0xa000001', '[fc00::1]', '[fd00:ec2::254]', '[fec0::1]'],
  'link-local': ['169.254.169.254', '[fe80::1]'],
  'of carriers': ['100.64.0.1', '100.100.100.200'],
  'multicast and broadcast': ['224.0.0.1', '255.255.255.255', '[ff02::1]'],
  'reserved': ['192.0.0.192', '240.0.0.1', '[100::1]', '[4000::1]', '[5f00::1]'],
  'benchmarking': ['198.18.0.1', '[2001:2::1]'],
  'documentation': ['192.0.2.1', '198.51.100.1', '203.0.113.1', '[2001:db8::1]', '[3fff::1]'],
  'IPv4 within IPv6': ['[::ffff:127.0.0.1]', '[::ffff:a00:1]', '[0:0:0:0:0:ffff:7f00:0001]', '[::127.0.0.1]', '[::ffff:0:127.0.0.1]'],
  '6to4, Teredo, NAT64 and ISATAP': [
    '192.88.99.1', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2600::5efe:7f00:1]', '[2600::200:5efe:a00:1]',
  ],
  'of a cloud for its guests': ['168.63.129.16'],
  'of other services of the network': ['192.175.48.1', '192.52.193.1', '[2620:4f:8000::1]', '[2001:20::1]'],
}
const hosts = Object.values(forbidden).flat()

/** Names that do not exist in the public DNS. */
const privateNames = ['intranet', 'intranet.', 'printer.local', 'metadata.google.internal', 'nas.home.arpa', 'a.onion', 'a.invalid', 'A.LOCALHOST', 'nas.lan', 'nas.home', 'a.localdomain', 'wiki.corp', 'wiki.intranet', 'wiki.private']
/** Hosts that are neither a name nor an IP address. */
const malformed = ['127.0.0.1..', '127.0.0.1...', 'localhost..', '0x7f.1..', '127.1..', 'hooks.example.com..', 'hooks..example.com', '.example.com', `${'a'.repeat(64)}.example.com`]

describe('Webhook targets: SSRF protection', () => {
  const newOpenWorld = shareWebhooksWorld()
  let app: TestApp
  let dns: DnsServer
  let trap: Server
  let port: number
  let connections: number
  /** The addresses to which this process tried to connect at the port, open or closed. */
  let attempts: string[]

  const watch = (message: unknown) => (message as { socket: Socket }).socket
    .on('connectionAttempt', (ip: string, to: number) => { if (to === port) attempts.push(ip) })

  before(async () => {
    dns = await openDnsServer()
    app = await openTestApp({ env: { MAYFLY_DNS_SERVERS: dns.servers } })
    trap = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await once(trap.listen(0, '::'), 'listening')
    port = (trap.address() as AddressInfo).port
    subscribe('net.client.socket', watch)
  })
  beforeEach(() => {
    connections = 0
    attempts = []
  })
  afterEach(() => {
    expect(attempts).to.deep.equal([])
    expect(connections).to.equal(0)
  })
  after(async () => {
    unsubscribe('net.client.socket', watch)
    trap.close()
    await app[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
  })

  const create = (url: string) => app.api('POST', '/webhooks', { body: { url, events: ['address.created'] } })

  /** Returns the result of a test event to a webhook whose URL was accepted when it was created. */
  async function tryIt(host: string, scheme = 'https') {
    const { body: { data: { id } } } = await create('https://hooks.example.com/')
    await setWebhookUrl(app, id, `${scheme}://${host}:${port}/`)
    await app.api('POST', `/webhooks/${id}/test`)
    await app.settled()
    const [delivery] = (await app.api('GET', `/webhooks/${id}/deliveries`)).body.data
    await app.api('DELETE', `/webhooks/${id}`)
    return delivery
  }

  it(`refuses a webhook to a private target: ${hosts.length} spellings`, async () => {
    expect(hosts.length).to.be.at.least(46)
    for (const host of hosts) {
      const { status, body } = await create(`https://${host}:${port}/hook`)
      expect(status, host).to.equal(400)
      if (host.startsWith('%')) continue // not a URI
      expect(body.details[0].path, host).to.equal('body.url')
      expect(body.error, host).to.match(/^body\.url: must name a host that the public internet can reach\. Give the public https address .* MAYFLY_ALLOW_PRIVATE_WEBHOOKS/)
    }
  })

  it('refuses a webhook to a name that does not exist in the public DNS', async () => {
    for (const host of privateNames) {
      const { status, body } = await create(`https://${host}/hook`)
      expect([status, body.details?.[0]], host).to.deep.equal([400, {
        path: 'body.url', message: 'must name a host that the public internet can reach',
      }])
    }
  })

  it('refuses a malformed host, also where private addresses are allowed', async () => {
    await using open = await newOpenWorld()
    for (const host of malformed) {
      for (const { api } of [app, open.app]) {
        const { status, body } = await api('POST', '/webhooks', { body: { url: `https://${host}/hook`, events: ['address.created'] } })
        expect([status, body.details?.[0]], host).to.deep.equal([400, {
          path: 'body.url', message: 'must have a host name without empty or overlong parts, or an IP address',
        }])
      }
    }
  })

  it('refuses private targets, http, credentials and port 0 also in a change', async () => {
    const { body: { data: { id } } } = await create('https://hooks.example.com/')
    for (const [url, reason] of [
      ['https://[::1]/', 'must name a host'], ['http://hooks.example.com/', 'must be an https URL'],
      ['https://user:pass@hooks.example.com/', 'must not hold a user name'], ['https://user@hooks.example.com/', 'must not hold a user name'],
      ['https://hooks.example.com:0/', 'must have a port'], ['https://[::1/', 'body.url'],
    ] as const) {
      for (const answer of [await app.api('PATCH', `/webhooks/${id}`, { body: { url } }), await create(url)]) {
        expect(answer.status, url).to.equal(400)
        expect(answer.body.error, url).to.include(reason)
      }
    }
    expect((await app.api('GET', `/webhooks/${id}`)).body.data.url).to.equal('https://hooks.example.com/')
    await app.api('DELETE', `/webhooks/${id}`)
  })

  it('accepts a public target', async () => {
    for (const host of ['1.1.1.1', '[2606:4700:4700::1111]', '100.128.0.1', '172.32.0.1', 'hooks.example.com', 'localhost.example.com', '010.8.8.8']) {
      const { status, body } = await create(`https://${host}/hook`)
      expect(status, host).to.equal(201)
      await app.api('DELETE', `/webhooks/${body.data.id}`)
    }
  })

  it('posts nothing to a private target that was stored before', async () => {
    for (const host of hosts) {
      const delivery = await tryIt(host)
      expect(delivery, host).to.include({ status: 'failed', responseStatus: null, responseBody: null })
      expect(delivery.error, host).to.equal('The URL must name a host that the public internet can reach.')
    }
    expect((await tryIt('hooks.example.com', 'http')).error).to.equal('The URL must be an https URL.')
  })

  it('posts nothing when a name has a private address', async () => {
    const ips = [...new Set(hosts.map((host) => new URL(`https://${host}`).hostname.replace(/^\[|\]$/g, '')))].filter((ip) => !ip.includes('localhost'))
    for (const [i, ip] of ips.entries()) {
      dns.zone[`n${i}.example`] = ip.includes(':') ? { AAAA: [ip] } : { A: [ip] }
      const delivery = await tryIt(`n${i}.example`)
      expect(delivery.status, ip).to.equal('failed')
      expect(delivery.error, ip).to.equal('The host of the URL is not on the public internet.')
    }
    expect(ips.length).to.be.at.least(46)
  })

  it('posts nothing through a CNAME to a private address, also when the name has a public address too', async () => {
    dns.zone['inside.example'] = { A: ['127.0.0.1'], AAAA: ['::1'] }
    dns.zone['alias.example'] = { CNAME: ['inside.example'] }
    dns.zone['mixed.example'] = { A: ['1.1.1.1', '127.0.0.1'] }
    dns.zone['families.example'] = { A: ['1.1.1.1'], AAAA: ['::1'] }
    for (const name of ['inside.example', 'alias.example', 'mixed.example', 'families.example']) {
      expect((await tryIt(name)).error, name).to.equal('The host of the URL is not on the public internet.')
    }
    expect((await tryIt('nowhere.example')).error).to.equal('The name nowhere.example has no address.')
  })

  it('posts nothing when a public target redirects to a private one', async () => {
    await using world = await newOpenWorld()
    for (const status of [301, 302, 303, 307, 308]) {
      world.endpoint.answer = (_delivery, response) => {
        response.setHeader('Location', `http://127.0.0.1:${port}/`)
        return status
      }
      const { id } = await world.subscribe()
      await world.app.api('POST', `/webhooks/${id}/test`)
      await world.app.settled()
      expect((await world.deliveriesOf(id))[0]).to.include({ status: 'failed', responseStatus: status })
    }
  })

  it('accepts private targets where the operator allows them, also localhost by its name', async () => {
    await using world = await newOpenWorld()
    for (const host of ['localhost', '127.1', '[::ffff:127.0.0.1]']) {
      const { id } = await world.subscribe({ url: `http://${host}:${world.endpoint.port}/?${host.length}` })
      await world.app.api('POST', `/webhooks/${id}/test`)
      await world.app.settled()
      expect((await world.deliveriesOf(id))[0], host).to.include({ status: 'succeeded' })
    }
  })
})
