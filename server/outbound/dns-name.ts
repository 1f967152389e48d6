import { isIP } from 'node:net'
import { toALabels } from '../mailbox.ts'

/**
 * A name as it is asked for: ASCII, lower case, without the final dot.
 * @returns undefined when it can be no name (RFC 1035, section 2.3.4); the system's resolver would cut it at a NUL,
 * and reads backslashes
 */
export function toDnsName(text: string): string | undefined {
  const ascii = /^[!-~]*$/.test(text) ? text.toLowerCase() : toALabels(text)
  if (ascii === undefined) return undefined
  const name = ascii.replace(/\.$/, '')
  return name.length <= 253 && /^[^.\\\s]{1,63}(\.[^.\\\s]{1,63})*$/.test(name) ? name : undefined
}

/** The name under which the names of an IP address are found; undefined when it is none. */
export function reverseName(ip: string): string | undefined {
  const version = isIP(ip)
  if (version === 4) return `${ip.split('.').reverse().join('.')}.in-addr.arpa`
  if (version !== 6 || ip.includes('%')) return undefined
  const groups = toGroups(ip)
  const [, v4] = /^0000:0000:0000:0000:0000:ffff:(.+)$/.exec(groups.join(':')) ?? []
  if (v4) return reverseName([...Buffer.from(v4.replace(':', ''), 'hex')].join('.'))
  return `${[...groups.join('')].reverse().join('.')}.ip6.arpa`
}

/** The eight groups of an IPv6 address, four digits each. */
function toGroups(ip: string): string[] {
  const [head = '', tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::')
  const split = (text: string) => text.split(':').filter(Boolean)
  const missing = 8 - split(head).length - split(tail ?? '').length
  return [...split(head), ...Array<string>(missing).fill('0'), ...split(tail ?? '')].map((group) => group.padStart(4, '0'))
}
