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
