import { isIP } from 'node:net'
import { toALabels } from '../mailbox.ts'

/**
 * Normalizes a name for a query: ASCII, lower case, without the final dot.
 * @returns undefined for a malformed name (RFC 1035, section 2.3.4); the system's resolver would cut it at a NUL, and interprets
 * backslashes
 */
export function toDnsName(text: string): string | undefined {
  const ascii = /^[!-~]*$/.test(text) ? text.toLowerCase() : toALabels(text)
  if (ascii === undefined) return undefined
  const name = ascii.replace(/\.$/, '')
  return name.length <= 253 && /^[^.\\\s]{1,63}(\.[^.\\\s]{1,63})*$/.test(name) ? name : undefined
}

/** Returns the name for a PTR query of an IP address, undefined when it is malformed. */
export function reverseName(ip: string): string | undefined {
  const version = isIP(ip)
  if (version === 4) return `${ip.split('.').reverse().join('.')}.in-addr.arpa`
  if (version !== 6 || ip.includes('%')) return undefined
  const groups = toGroups(ip)
  const [, v4] = /^0000:0000:0000:0000:0000:ffff:(.+)$/.exec(groups.join(':')) ?? []
  if (v4) return reverseName([...Buffer.from(v4.replace(':', ''), 'hex')].join('.'))
  return `${[...groups.join('')].reverse().join('.')}.ip6.arpa`
}

/** Splits an IPv6 address into eight groups of four digits. */
function toGroups(ip: string): string[] {
  const [head = '', tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::')
  const split = (text: string) => text.split(':').filter(Boolean)
  const missing = 8 - split(head).length - split(tail ?? '').length
  return [...split(head), ...Array<string>(missing).fill('0'), ...split(tail ?? '')].map((group) => group.padStart(4, '0'))
}
