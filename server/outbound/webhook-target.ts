import { isIP } from 'node:net'
import { toDnsName } from './dns-name.ts'
import type { Resolver } from './dns.ts'
import { isPublicAddress } from './public-address.ts'

/** Where a connection goes. */
export interface TargetAddress {
  address: string
  family: number
}

/** Names that are not in the public DNS: special-use ones (RFC 6761, 6762, 7686, 8375; ICANN's `internal`), and single labels. */
const privateName = /^[^.]+$|\.(localhost|local|internal|invalid|onion|home\.arpa)$/

/** Addresses of a name that a connection is tried with. */
const mostAddresses = 8

/**
 * Why events must not be posted to a URL, as far as the URL itself tells; undefined when they may.
 * @param allowPrivate the operator lets webhooks reach this host and its network, and http
 */
export function refusalOf(text: string, allowPrivate: boolean): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an https URL'
  if (url.username || url.password) return 'must not hold a user name or password; tell deliveries by their signature'
  if (url.port === '0') return 'must have a port from 1 to 65535'
  const host = hostOf(url)
  const isName = isIP(host) === 0
  if (isName && toDnsName(url.hostname) === undefined) return 'must have a host name without empty or overlong parts, or an IP address'
  if (allowPrivate) return undefined
  if (url.protocol !== 'https:') return 'must be an https URL'
  if (isName ? privateName.test(host) : !isPublicAddress(host)) return 'must name a host that the public internet can reach'
  return undefined
}

/**
 * Looks up where a URL leads, and judges every address that its name has.
 * @throws TargetError
 */
export async function findTarget(resolver: Resolver, url: URL, isAllowed: (ip: string) => boolean): Promise<TargetAddress[]> {
  const addresses = await addressesOf(resolver, hostOf(url))
  // refuses a name with both public and private addresses: it may be made for SSRF
  if (!addresses.every(isAllowed)) {
    throw new TargetError('The host of the URL is not on the public internet.')
  }
  return addresses.slice(0, mostAddresses).map((address) => ({ address, family: isIP(address) }))
}

/** Why there is nothing to connect to. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}

async function addressesOf(resolver: Resolver, host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  if (isLocal(host)) return ['127.0.0.1', '::1'] // RFC 6761: no question for the DNS
  const found = await resolver.addresses(host)
  if (found.kind === 'found') return found.records
  throw new TargetError(found.kind === 'unknown' ? `${found.reason}.` : `The name ${host} has no address.`)
}

/** An IP address in its plain form, however it was spelled: WHATWG URLs read decimal, octal, hex and short ones. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

const isLocal = (host: string) => /(^|\.)localhost$/.test(host)
