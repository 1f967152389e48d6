import ipaddr from 'ipaddr.js'

/** What looks public and is not: the addresses by which a cloud's host answers its guests. */
const hostServices = new Set(['168.63.129.16'])

/** All that is global of IPv6 stands in 2000::/3, without the ranges that ipaddr.js knows as special. */
const [globalV6, globalBits] = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IP address is one of the public internet: neither private nor reserved nor one that leads to an IPv4 address
 * of any kind, as those of NAT64, 6to4, Teredo and ISATAP do.
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
