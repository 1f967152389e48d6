import { isIP } from 'node:net'
import { isLoopback } from '../network.ts'
import type { DnsAnswer, MailExchange, Resolver } from './dns.ts'
import type { MailServer } from './session.ts'

/** A mail server of a domain. */
interface MailHost {
  name: string
  /** Looks up its IP addresses, only when the host is tried. */
  addresses(): Promise<DnsAnswer<string>>
}

export type MailRoutes =
  | { kind: 'hosts', hosts: MailHost[] }
  /** Permanent: no host accepts mail for this domain. */
  | { kind: 'refused', reason: string }
  /** A temporary failure of the DNS. */
  | { kind: 'later', reason: string }

/** Maximum hosts of one domain that are tried. */
const maxHosts = 10

/**
 * Finds the mail servers of a domain, by preference, those of equal preference in random order.
 * @see RFC 5321, section 5.1; RFC 7505, section 3, for the null MX
 */
export async function mailRoutes(resolver: Resolver, domain: string): Promise<MailRoutes> {
  const found = await resolver.mx(domain)
  if (found.kind === 'unknown') return { kind: 'later', reason: found.reason }
  if (found.kind === 'none') return routeToDomain(resolver, domain)
  const hosts = found.records
    .map(({ exchange, priority }) => ({ exchange: exchange.toLowerCase().replace(/\.$/, ''), priority, draw: Math.random() }))
    .filter(({ exchange }) => exchange !== '' && isIP(exchange) === 0)
    .sort((a, b) => a.priority - b.priority || a.draw - b.draw)
    .map(({ exchange }) => exchange)
  if (hosts.length === 0) return { kind: 'refused', reason: reasonFor(domain, found.records) }
  const names = [...new Set(hosts)].slice(0, maxHosts)
  return { kind: 'hosts', hosts: names.map((name) => ({ name, addresses: () => resolver.addresses(name) })) }
}

/** A domain without MX records is its own mail server when it has an address (implicit MX: RFC 5321, section 5.1). */
async function routeToDomain(resolver: Resolver, domain: string): Promise<MailRoutes> {
  const found = await resolver.addresses(domain)
  if (found.kind === 'unknown') return { kind: 'later', reason: found.reason }
  if (found.kind === 'found') return { kind: 'hosts', hosts: [{ name: domain, addresses: () => Promise.resolve(found) }] }
  const exists = await resolver.lookup(domain, 'MX').catch(({ code }: NodeJS.ErrnoException) => code) === 'ENODATA'
  return { kind: 'refused', reason: `No mail server: ${domain} ${exists ? 'has none' : 'does not exist'}` }
}

const reasonFor = (domain: string, records: MailExchange[]) => records.every(({ exchange }) => exchange === '')
  ? `${domain} takes no mail`
  : `No mail server: ${domain} names none that can be used`

/**
 * Reads `smtp(s)://user:password@host:port`, with `?tls=required` or without. A password is sent only over TLS with a valid certificate,
 * except to a loopback address; `required` needs both for mail too, at a loopback address TLS alone.
 * @see RFC 6409, section 3.1, for port 587; RFC 8314, section 3.3, for port 465
 */
export function readSmartHost(text: string): MailServer {
  const url = new URL(text)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isImplicit = url.protocol === 'smtps:'
  const user = decode(url.username)
  const isRequired = url.searchParams.get('tls') === 'required'
  const isGuarded = !isThisHost(host) && (user !== '' || isImplicit || isRequired)
  return {
    name: host,
    host,
    port: Number(url.port) || (isImplicit ? 465 : 587),
    tls: isImplicit ? 'implicit' : isGuarded || isRequired ? 'required' : 'offered',
    isVerified: isGuarded,
    ...(user !== '' && { auth: { user, pass: decode(url.password) } }),
  }
}

const isThisHost = (host: string): boolean => isLoopback(host) || /^(.+\.)?localhost$/.test(host)

function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a % that is not percent-encoding is kept as it is
  }
}
