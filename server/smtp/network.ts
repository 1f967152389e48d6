import ipaddr from 'ipaddr.js'
import { networkOf } from '../network.ts'

const networkBits = { ipv4: 24, ipv6: 64 }

/**
 * The network that one client can have addresses of: an IPv4 /24, an IPv6 /64. An address that is not of the public internet
 * stands for itself, as many clients may come through one proxy there.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return parsed.toString()
  return networkOf(address, networkBits)
}
