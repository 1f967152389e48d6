import { Resolver as SystemResolver } from 'node:dns/promises'
import { openExpiringMap } from '../expiring-map.ts'
import { reverseName, toDnsName } from './dns-name.ts'

/** The result of a look-up: records, certainly none, or unknown because of a temporary failure. */
export type DnsAnswer<T> =
  | { kind: 'found', records: T[] }
  | { kind: 'none' }
  | { kind: 'unknown', reason: string }

export interface MailExchange {
  /** Empty for the null MX (RFC 7505, section 3). */
  exchange: string
  priority: number
}

/**
 * Returns the records of a name, as `dns.promises.resolve` does.
 * @throws Error with the `code` of `dns.promises.resolve`: ENOTFOUND, ENODATA, EBADNAME, ETIMEOUT, ESERVFAIL, EREFUSED …
 */
export type Lookup = (name: string, type: string) => Promise<unknown[]>

/** Queries the DNS. Answers are cached for a minute, and concurrent queries for the same records share one. */
export interface Resolver {
  /** For libraries that take such a function. */
  lookup: Lookup
  /** Joins the strings of each record. */
  txt(name: string): Promise<DnsAnswer<string>>
  mx(name: string): Promise<DnsAnswer<MailExchange>>
  /** IPv4 before IPv6. Records of one family are enough; `none` requires an answer for both. */
  addresses(name: string): Promise<DnsAnswer<string>>
  /** The names of an IP address. */
  ptr(ip: string): Promise<DnsAnswer<string>>
  /** Ends the queries under way with ECANCELLED, and all later ones. */
  close(): void
}

export interface ResolverOptions {
  /** For one try. */
  timeoutMs?: number
  tries?: number
  lifetimeMs?: number
  /** That are cached. */
  maxAnswers?: number
}

/** Codes that mean `none`: the name does not exist, has no such record, or is malformed. */
const finalCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

const failureReasons: Record<string, string> = {
  ETIMEOUT: 'no answer in time',
  ESERVFAIL: 'the server failed',
  EREFUSED: 'the server refused the question',
  ECONNREFUSED: 'no server can be reached',
  ECANCELLED: 'the question was cancelled',
}

/**
 * Opens a resolver.
 * @param servers `127.0.0.1`, `127.0.0.1:5353`, `[::1]:53`; those of the system when there are none
 */
export function openResolver(servers: string[], options: ResolverOptions = {}): Resolver {
  const { timeoutMs = 2_000, tries = 2, lifetimeMs = 60_000, maxAnswers = 10_000 } = options
  // without maxTimeout, the second try would take at least twice as long as the first
  const system = new SystemResolver({ timeout: timeoutMs, tries, maxTimeout: timeoutMs })
  if (servers.length > 0) system.setServers(servers)
  let isClosed = false
  const cache = openDnsCache({ lifetimeMs, maxReplies: maxAnswers })

  const lookup: Lookup = async (name, type) => {
    if (isClosed) throw dnsError('ECANCELLED', name, type)
    const asked = toDnsName(name)
    if (!asked) throw dnsError('EBADNAME', name, type)
    const reply = await cache.get(`${type} ${asked}`, () => resolveRecords(system, asked, type))
    if ('code' in reply) throw dnsError(reply.code, name, type)
    return structuredClone(reply.records) // a copy: mailauth sorts its records
  }

  const query = async <T>(name: string, type: string): Promise<DnsAnswer<T>> => {
    try {
      const records = await lookup(name, type) as T[]
      return records.length > 0 ? { kind: 'found', records } : { kind: 'none' }
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (finalCodes.has(code)) return { kind: 'none' }
      return { kind: 'unknown', reason: `The DNS lookup of ${name} failed: ${failureReasons[code] ?? 'no usable answer'}` }
    }
  }

  return {
    lookup,
    async txt(name) {
      const found = await query<string[]>(name, 'TXT')
      return found.kind === 'found' ? { kind: 'found', records: found.records.map((strings) => strings.join('')) } : found
    },
    async mx(name) {
      const found = await query<MailExchange>(name, 'MX')
      if (found.kind !== 'found') return found
      return { kind: 'found', records: found.records.map(({ exchange, priority }) => ({ exchange, priority })) }
    },
    async addresses(name) {
      const answers = await Promise.all([query<string>(name, 'A'), query<string>(name, 'AAAA')])
      const records = answers.flatMap((found) => found.kind === 'found' ? found.records : [])
      if (records.length > 0) return { kind: 'found', records }
      return answers.find(({ kind }) => kind === 'unknown') ?? { kind: 'none' }
    },
    ptr: async (ip) => {
      const name = reverseName(ip)
      return name ? query(name, 'PTR') : { kind: 'none' }
    },
    close() {
      isClosed = true
      system.cancel()
    },
  }
}

async function resolveRecords(system: SystemResolver, name: string, type: string) {
  try {
    const records = await system.resolve(name, type) as unknown[]
    return { records, isFinal: true }
  } catch (error) {
    const { code = 'EBADRESP' } = error as NodeJS.ErrnoException
    return { code, isFinal: finalCodes.has(code) }
  }
}

const dnsError = (code: string, name: string, type: string) =>
  Object.assign(new Error(`query${type} ${code} ${name}`), { code, syscall: `query${type}`, hostname: name })

/** The result of a DNS query. A reply that is not final is not kept: only the callers that wait for it get it. */
type DnsReply = { isFinal: boolean } & ({ records: unknown[] } | { code: string })

interface DnsCache {
  /** Returns the kept reply, or that of the query under way for this key, or else that of `ask`. */
  get(key: string, ask: () => Promise<DnsReply>): Promise<DnsReply>
}

/** Maximum characters of a reply that is kept: other name servers choose its length. */
const maxReplyChars = 4096

/**
 * Keeps final replies for a time.
 * @param limits.maxReplies beyond which the oldest is removed
 */
function openDnsCache({ lifetimeMs, maxReplies }: { lifetimeMs: number, maxReplies: number }): DnsCache {
  const kept = openExpiringMap<DnsReply>(maxReplies)
  const underWay = new Map<string, Promise<DnsReply>>()

  const fetchReply = async (key: string, ask: () => Promise<DnsReply>) => {
    const reply = await ask().finally(() => underWay.delete(key))
    if (reply.isFinal && JSON.stringify(reply).length <= maxReplyChars) kept.set(key, reply, lifetimeMs)
    return reply
  }

  return {
    async get(key, ask) {
      const found = kept.get(key)
      if (found) return found
      const waiting = underWay.get(key) ?? fetchReply(key, ask)
      if (!underWay.has(key)) underWay.set(key, waiting)
      return await waiting
    },
  }
}
