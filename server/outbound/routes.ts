import { isIP } from 'node:net'
import type { Answer, MailExchange, Resolver } from './dns.ts'

/** A host that takes a domain's mail. */
interface MailHost {
  name: string
  /** Its IP addresses, asked for only when its turn comes. */
  addresses(): Promise<Answer<string>>
}

export type MailRoutes =
  | { kind: 'hosts', hosts: MailHost[] }
  /** Permanent: no host accepts mail for this domain. */
  | { kind: 'refused', reason: string }
  /** The DNS does not say at this moment. */
  | { kind: 'later', reason: string }

/** Hosts of one domain that are tried at most; who has more has made them up. */
const mostHosts = 10

/**
 * Finds who takes mail for a domain, the preferred first and equals in random order.
 * @see RFC 5321, section 5.1; RFC 7505 for those who take none
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
  const names = [...new Set(hosts)].slice(0, mostHosts)
  return { kind: 'hosts', hosts: names.map((name) => ({ name, addresses: () => resolver.addresses(name) })) }
}

/** A domain without MX is its own mail server when it has an address. */
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
