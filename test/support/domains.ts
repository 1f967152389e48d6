import { openTestApp, shareTestApp } from './app.ts'
import type { TestApp, TestOptions } from './app.ts'
import { openDnsServer } from './dns-server.ts'
import type { DnsServer } from './dns-server.ts'
import { playSession } from './play-session.ts'

export { maxFailures } from '../../server/domain/domains.ts'
export { domainCheckDelaysMs } from '../../server/domain/retry-delays.ts'

export interface AddedDomain {
  id: string
  domain: string
  txt: string
}

/** A server and its DNS server. */
export interface DomainsWorld extends AsyncDisposable {
  app: TestApp
  dns: DnsServer
  /** Adds a domain, and waits for its first check. */
  add(domain: string, key?: string): Promise<AddedDomain>
  /** Adds a domain with its DNS records, and verifies it. */
  hold(domain: string, key?: string): Promise<AddedDomain>
  /** Sets the DNS records that a domain needs. */
  point(...domains: AddedDomain[]): void
  verify(id: string, key?: string): Promise<{ status: number, body: any }>
  statusOf(id: string, key?: string): Promise<string | undefined>
  /** Sends MAIL and RCPT for an address, and expects this code. */
  offer(address: string, code: 250 | 550): Promise<void>
}

export const mxHost = 'mx.mayfly.example'

const domainsEnv = { MAYFLY_DEFAULT_DOMAIN: 'in.mayfly.example', MAYFLY_MX_HOST: mxHost }

export async function openDomainsWorld(options: TestOptions = {}): Promise<DomainsWorld> {
  const dns = await openDnsServer()
  const app = await openTestApp({ ...options, env: { ...domainsEnv, MAYFLY_DNS_SERVERS: dns.servers, ...options.env } })
  return toWorld(app, dns, async () => {
    await app[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
  })
}

/**
 * One server and one DNS server for all tests of a suite.
 * @returns a function that gives a test an account, and the DNS server without records; the test disposes it, which deletes the domains
 */
export function shareDomainsWorld(options: TestOptions = {}): () => Promise<DomainsWorld> {
  const env: Record<string, string> = { ...domainsEnv }
  let dns: DnsServer
  before(async () => {
    dns = await openDnsServer()
    env['MAYFLY_DNS_SERVERS'] = dns.servers
  })
  const newAccount = shareTestApp({ ...options, env })
  after(() => dns[Symbol.asyncDispose]())
  return async () => {
    const app = await newAccount()
    dns.reset()
    return toWorld(app, dns, async (keys) => {
      for (const key of keys) {
        const { data } = (await app.api<{ data: { id: string }[] }>('GET', '/domains', { key })).body
        await Promise.all(data.map(({ id }) => app.api('DELETE', `/domains/${id}`, { key })))
      }
    })
  }
}

/** @param dispose is called with the keys that added domains */
export function toWorld(app: TestApp, dns: DnsServer, dispose: (keys: Set<string>) => Promise<void>): DomainsWorld {
  const keys = new Set([app.key])
  const world: DomainsWorld = {
    app,
    dns,
    async add(domain, key = app.key) {
      keys.add(key)
      const { body: { data } } = await app.api('POST', '/domains', { key, body: { domain } })
      await app.settled()
      return { id: data.id, domain: data.domain, txt: data.dnsRecords.txt.value }
    },
    async hold(domain, key) {
      const added = await world.add(domain, key)
      world.point(added)
      const { body } = await world.verify(added.id, key)
      if (body.data?.status !== 'verified') throw new Error(`${domain} is not verified: ${JSON.stringify(body)}`)
      return added
    },
    point(...domains) {
      for (const { domain, txt } of domains) {
        const before = dns.zone[domain]
        const texts = typeof before === 'object' ? before.TXT ?? [] : []
        dns.zone[domain] = { TXT: [...texts, txt], MX: [{ exchange: mxHost, priority: 10 }] }
      }
    },
    verify: (id, key = app.key) => app.api('POST', `/domains/${id}/verify`, { key }),
    async statusOf(id, key = app.key) {
      const { body } = await app.api<{ data: { id: string, status: string }[] }>('GET', '/domains', { key })
      return body.data.find((domain) => domain.id === id)?.status
    },
    async offer(address, code) {
      await playSession(app.smtp, [
        ['EHLO client.example.org', 250], ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${address}>`, code],
      ])
    },
    [Symbol.asyncDispose]: () => dispose(keys),
  }
  return world
}
