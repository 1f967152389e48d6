import ipaddr from 'ipaddr.js'

/**
 * The network that one client can have addresses of: an IPv4 /24, an IPv6 /64. An address that is not of the public internet
 * stands for itself, as many clients may come through one proxy there.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return parsed.toString()
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 3).join('.')}.0/24`
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}
