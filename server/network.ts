import ipaddr from 'ipaddr.js'

/** Prefix lengths, by the version of IP. */
export interface NetworkBits {
  ipv4: number
  ipv6: number
}

/** Prefix lengths of the networks whose connections share a limit: a site has at least an IPv6 /64 (RFC 6177). */
export const clientNetworkBits: NetworkBits = { ipv4: 24, ipv6: 64 }

/** The first address of the network that an IP address is in; any other text is returned unchanged. */
export function networkOf(address: string, bits: NetworkBits): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv4
    ? ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/${bits.ipv4}`).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${bits.ipv6}`).toString()
}

/**
 * The network that counts as one client: the IPv4 /24 or IPv6 /64 of a public address. Any other address counts by itself, because
 * a private network may have many independent clients.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return parsed.toString()
  return networkOf(address, clientNetworkBits)
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

/** Whether an IP address is one of this machine, such as 127.0.0.1. */
export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

/** The one spelling of an IP address, that of IPv4 where it is mapped to IPv6; any other text is returned unchanged. */
export const clientAddress = (address: string): string => ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
