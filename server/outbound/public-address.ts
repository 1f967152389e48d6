import ipaddr from 'ipaddr.js'

/** Addresses in public ranges that are not public: services of a cloud's host for its virtual machines (Azure). */
const hostServices = new Set(['168.63.129.16'])

/** All global IPv6 addresses are in 2000::/3. It also has special ranges, which ipaddr.js excludes. */
const [globalV6, globalBits] = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IP address belongs to the public internet, against SSRF: neither private, nor reserved, nor an IPv6 address that embeds an
 * IPv4 one (NAT64, 6to4, Teredo, ISATAP). See docs/decisions/0022.
 * @see IANA's special-purpose address registries; RFC 6890
 */
export function isPublicAddress(ip: string): boolean {
  if (!ipaddr.isValid(ip) || ip.includes('%')) return false
  const address = ipaddr.parse(ip)
  if (address.range() !== 'unicast' || hostServices.has(address.toString())) return false
  return address instanceof ipaddr.IPv4 || address.match(globalV6, globalBits) && !isIsatap(address)
}

/** RFC 5214, section 6.1: the last 64 bits are 0000:5efe or 0200:5efe and an IPv4 address. */
const isIsatap = ({ parts }: ipaddr.IPv6) => (parts[4]! & ~0x200) === 0 && parts[5] === 0x5efe
