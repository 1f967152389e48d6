import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { getDomain } from 'tldts'

/**
 * Prefix lengths of the networks in which a client counts, by the version of IP: one host or site, then the blocks in which providers
 * assign addresses (RFC 6177, section 2). A client may have any address of its block, so a limit for /64 alone is none.
 */
const prefixLengths = { ipv4: [32, 24], ipv6: [64, 56, 48] }

/** Ranges of an internal network, whose addresses strangers cannot have: each counts as a client of its own. */
const internalRanges = ['private', 'loopback', 'linkLocal', 'uniqueLocal', 'unspecified']

/** A network in which a client counts. */
export interface ClientNetwork {
  /** With its prefix length, such as `2001:db8::/56`. */
  name: string
  /** A limit for a client is multiplied by this number for the network. */
  factor: number
}

/** The networks in which a client counts, the smallest first. An internal address counts by itself, and so does any other text. */
export function clientNetworks(address: string): ClientNetwork[] {
  if (!ipaddr.isValid(address)) return [{ name: address, factor: 1 }]
  const parsed = ipaddr.process(address)
  if (internalRanges.includes(parsed.range())) return [{ name: parsed.toString(), factor: 1 }]
  return prefixLengths[parsed.kind()].map((bits, i) => ({ name: `${firstAddress(parsed, bits)}/${bits}`, factor: i + 1 }))
}

/** The widest network in which a client counts, by which turns and rates are shared. */
export const clientNetwork = (address: string): string => clientNetworks(address).at(-1)!.name

function firstAddress(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const bytes = address.toByteArray().map((byte, i) => byte & 0xff << Math.max(0, 8 - Math.max(0, bits - 8 * i)))
  return ipaddr.fromByteArray(bytes).toString()
}

/** @returns a function that tells whether an IP address is one of these addresses, or in one of these networks (`10.0.0.0/8`) */
export function addressMatcher(wanted: string[]): (address: string) => boolean {
  const networks = wanted.map((network) => network.includes('/') ? ipaddr.parseCIDR(network) : wholeAddress(network))
  return (address) => {
    if (networks.length === 0 || !ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return networks.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits))
  }
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/**
 * Index of the bytes of an IPv4 address within an IPv6 one, by the range of ipaddr.js: mapped (RFC 4291, section 2.5.5.2), NAT64 (RFC 6052,
 * section 2), 6to4 (RFC 3056, section 2).
 */
const embeddedAt: Record<string, number> = { ipv4Mapped: 12, rfc6052: 12, '6to4': 2 }

/**
 * The one spelling of a URL's host, by which hosts are compared and counted: the IPv4 address that an IPv6 one embeds, the loopback address
 * for the unspecified one, and a name without its final dot.
 * @param hostname of `URL`, which has normalized the case, percent-encoding and the numbers of an IPv4 address
 */
export function canonicalHost(hostname: string): string {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (!ipaddr.isValid(host)) return host
  const parsed = ipaddr.parse(host)
  const at = parsed.kind() === 'ipv6' ? embeddedAt[parsed.range()] : undefined
  const address = at === undefined ? parsed : ipaddr.fromByteArray(parsed.toByteArray().slice(at, at + 4))
  if (/^(?:0\.0\.0\.0|::)$/.test(address.toString())) return address.kind() === 'ipv4' ? '127.0.0.1' : '::1'
  return address.toString()
}

/**
 * The host of a URL as requests to it are counted: the IPv4 address or the IPv6 /64, any address of which one server may have, or the
 * registrable domain of a name, since names below it often lead to one server.
 * @param hostname of `URL`
 */
export function siteOf(hostname: string): string {
  const host = canonicalHost(hostname)
  return ipaddr.isValid(host) ? clientNetworks(host)[0]!.name : getDomain(host, { allowPrivateDomains: true }) ?? host
}

/** Whether an IP address is one of this machine, such as 127.0.0.1. */
export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

/** The one spelling of an IP address, that of IPv4 where it is mapped to IPv6; any other text is returned unchanged. */
export const clientAddress = (address: string): string => ipaddr.isValid(address) ? ipaddr.process(address).toString() : address

/** Addresses in public ranges that are not public: services of a cloud's host for its virtual machines (Azure). */
const hostServices = new Set(['168.63.129.16'])

/** All global IPv6 addresses are in 2000::/3. It also has special ranges, which ipaddr.js excludes. */
const [globalV6, globalBits] = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IP address belongs to the public internet, against SSRF: neither private, nor reserved, nor an IPv6 address that embeds an
 * IPv4 one (NAT64, 6to4, Teredo, ISATAP). See docs/decisions/0022.
 * @see IANA's special-purpose address registries; RFC 6890, section 2.2
 */
export function isPublicAddress(ip: string): boolean {
  if (!ipaddr.isValid(ip) || ip.includes('%')) return false
  const address = ipaddr.parse(ip)
  if (address.range() !== 'unicast' || hostServices.has(address.toString())) return false
  return address instanceof ipaddr.IPv4 || address.match(globalV6, globalBits) && !isIsatap(address)
}

/** Ports of web sites, which are open to all clients. */
const webPorts = [80, 443]

/**
 * Whether requests that others cause may go to a port of an address: to a public one, and of this machine only to the ports of web sites,
 * since such a connection does not pass the firewall in front of it.
 * @param own addresses of this machine
 */
export function isPublicTarget(ip: string, port: number, own = ownAddresses()): boolean {
  return isPublicAddress(ip) && (webPorts.includes(port) || !own.includes(clientAddress(ip)))
}

const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => clientAddress(address)))

/** RFC 5214, section 6.1: the last 64 bits are 0000:5efe or 0200:5efe and an IPv4 address. */
const isIsatap = ({ parts }: ipaddr.IPv6) => (parts[4]! & ~0x200) === 0 && parts[5] === 0x5efe
