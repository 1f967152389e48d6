import { isIP } from 'node:net'
import { isPublicAddress } from '../network.ts'
import { toDnsName } from './dns-name.ts'
import type { Resolver } from './dns.ts'

/** An address to connect to, as `net.connect` takes it. */
export interface TargetAddress {
  address: string
  family: number
}

/** Names that the public DNS does not have: single labels, and special-use ones (RFC 6761, section 6; RFC 6762, appendix G). */
const privateName = /^[^.]*$|\.(localhost|local|localdomain|internal|intranet|lan|home|home\.arpa|corp|private|invalid|onion)$/

/** Maximum addresses of a name that are tried. */
const maxAddresses = 8

/**
 * Returns why events must not be posted to a URL, as the end of a sentence; undefined when they may. Does not query the DNS.
 * @param allowPrivate whether this host and its network may be reached
 */
export function refusalOf(text: string, allowPrivate: boolean, allowHttp = allowPrivate): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an https URL'
  if (url.username || url.password) return 'must not hold a user name or password; tell deliveries by their signature'
  if (url.port === '0') return 'must have a port from 1 to 65535'
  const host = hostOf(url)
  const isName = isIP(host) === 0
  if (isName && toDnsName(url.hostname) === undefined) return 'must have a host name without empty or overlong parts, or an IP address'
  if (url.protocol !== 'https:' && !allowHttp) return 'must be an https URL'
  if (allowPrivate) return undefined
  if (isName ? privateName.test(host) : !isPublicAddress(host)) return 'must name a host that the public internet can reach'
  return undefined
}

/**
 * Looks up the addresses of a URL's host, and checks each of them with the port.
 * @throws TargetError
 */
export async function findTarget(resolver: Resolver, url: URL, isAllowed: (ip: string, port: number) => boolean): Promise<TargetAddress[]> {
  const addresses = await addressesOf(resolver, hostOf(url))
  // refuses a name with both public and private addresses, against SSRF
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  if (!addresses.every((address) => isAllowed(address, port))) {
    throw new TargetError('The host of the URL is not on the public internet.')
  }
  return addresses.slice(0, maxAddresses).map((address) => ({ address, family: isIP(address) }))
}

/** Why an event cannot be posted. Its message is shown to the owner of the webhook. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}

async function addressesOf(resolver: Resolver, host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  if (isLocal(host)) return ['127.0.0.1', '::1'] // RFC 6761, section 6.3: not a name for the DNS
  const found = await resolver.addresses(host)
  if (found.kind === 'found') return found.records
  throw new TargetError(found.kind === 'unknown' ? `${found.reason}.` : `The name ${host} has no address.`)
}

/** Returns the host without brackets and final dot. URL has normalized an IPv4 address in decimal, octal, hex or a short form. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

const isLocal = (host: string) => /(^|\.)localhost$/.test(host)
