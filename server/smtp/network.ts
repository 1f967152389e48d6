import ipaddr from 'ipaddr.js'
import { clientNetworkBits, networkOf } from '../network.ts'

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

/** The one spelling of an IP address, that of IPv4 where it is mapped to IPv6; any other text is returned unchanged. */
export const clientAddress = (address: string): string => ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
