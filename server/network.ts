import ipaddr from 'ipaddr.js'

/** Bits of an address that one site or subscriber has to itself (RFC 6177 for IPv6). */
export interface NetworkBits {
  ipv4: number
  ipv6: number
}

/** The first address of the network that an IP address is in; any other text as it is. */
export function networkOf(address: string, bits: NetworkBits): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv4
    ? ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/${bits.ipv4}`).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${bits.ipv6}`).toString()
}
