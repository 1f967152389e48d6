import { Resolver as SystemResolver } from 'node:dns/promises'
import { openAnswerCache } from './answer-cache.ts'
import { reverseName, toDnsName } from './dns-name.ts'

/** What the DNS says of a name: records, that there are none for certain, or nothing that one may build on. */
export type Answer<T> =
  | { kind: 'found', records: T[] }
  | { kind: 'none' }
  | { kind: 'unknown', reason: string }

export interface MailExchange {
  /** Empty for the null MX (RFC 7505). */
  exchange: string
  priority: number
}

/** Asks the DNS. Answers are kept for a minute, and a question that is under way is not asked twice. */
export interface Resolver {
  /**
   * The records of a name as `dns.promises.resolve` gives them, for libraries that take such a function.
   * @throws Error with the `code` that `dns.promises.resolve` gives it: ENOTFOUND, ENODATA, EBADNAME, ETIMEOUT, ESERVFAIL, EREFUSED …
   */
  lookup(name: string, type: string): Promise<unknown[]>
  /** Each record's strings joined. */
  txt(name: string): Promise<Answer<string>>
  mx(name: string): Promise<Answer<MailExchange>>
  /** IPv4 before IPv6. What one family answers is enough; it takes both to say that there are none. */
  addresses(name: string): Promise<Answer<string>>
  /** The names of an IP address. */
  ptr(ip: string): Promise<Answer<string>>
  /** Ends what is under way with ECANCELLED; later questions too. */
  close(): void
}

export interface ResolverOptions {
  /** Milliseconds a server has to answer a try. */
  timeout?: number
  tries?: number
  /** Milliseconds for which an answer is kept. */
  keep?: number
  /** Answers that are kept at most. */
  size?: number
}

/** Codes that are an answer: the name does not exist, has no such record, or cannot be a name. */
const definitive = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

const words: Record<string, string> = {
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
  const { timeout = 2000, tries = 2, keep = 60_000, size = 10_000 } = options
  // without maxTimeout the second try would take twice as long as the first and more
  const system = new SystemResolver({ timeout, tries, maxTimeout: timeout })
  if (servers.length > 0) system.setServers(servers)
  let isClosed = false
  const cache = openAnswerCache({ keep, size })

  const lookup = async (name: string, type: string): Promise<unknown[]> => {
    if (isClosed) throw failure('ECANCELLED', name, type)
    const asked = toDnsName(name)
    if (!asked) throw failure('EBADNAME', name, type)
    const reply = await cache.get(`${type} ${asked}`, () => ask(system, asked, type))
    if ('code' in reply) throw failure(reply.code, name, type)
    return structuredClone(reply.records) // mailauth sorts what it is given
  }

  const answer = async <T>(name: string, type: string): Promise<Answer<T>> => {
    try {
      const records = await lookup(name, type) as T[]
      return records.length > 0 ? { kind: 'found', records } : { kind: 'none' }
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (definitive.has(code)) return { kind: 'none' }
      return { kind: 'unknown', reason: `The DNS lookup of ${name} failed: ${words[code] ?? 'no usable answer'}` }
    }
  }

  return {
    lookup,
    async txt(name) {
      const found = await answer<string[]>(name, 'TXT')
      return found.kind === 'found' ? { kind: 'found', records: found.records.map((strings) => strings.join('')) } : found
    },
    async mx(name) {
      const found = await answer<MailExchange>(name, 'MX')
      if (found.kind !== 'found') return found
      return { kind: 'found', records: found.records.map(({ exchange, priority }) => ({ exchange, priority })) }
    },
    async addresses(name) {
      const answers = await Promise.all([answer<string>(name, 'A'), answer<string>(name, 'AAAA')])
      const records = answers.flatMap((found) => found.kind === 'found' ? found.records : [])
      if (records.length > 0) return { kind: 'found', records }
      return answers.find(({ kind }) => kind === 'unknown') ?? { kind: 'none' }
    },
    ptr: async (ip) => {
      const name = reverseName(ip)
      return name ? answer(name, 'PTR') : { kind: 'none' }
    },
    close() {
      isClosed = true
      system.cancel()
    },
  }
}

async function ask(system: SystemResolver, name: string, type: string) {
  try {
    const records = await system.resolve(name, type) as unknown[]
    return { records, isFinal: true }
  } catch (error) {
    const { code = 'EBADRESP' } = error as NodeJS.ErrnoException
    return { code, isFinal: definitive.has(code) }
  }
}

const failure = (code: string, name: string, type: string) =>
  Object.assign(new Error(`query${type} ${code} ${name}`), { code, syscall: `query${type}`, hostname: name })
