import { BlockList, isIP } from 'node:net'
import type { MailServer } from './session.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Reads `smtp(s)://user:password@host:port`. A password is sent only over TLS with a valid certificate, except to a loopback address.
 */
export function readSmartHost(text: string): MailServer {
  const url = new URL(text)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isImplicit = url.protocol === 'smtps:'
  const user = decode(url.username)
  const isGuarded = !isLoopback(host) && (user !== '' || isImplicit)
  return {
    name: host,
    host,
    port: Number(url.port) || (isImplicit ? 465 : 587),
    tls: isImplicit ? 'implicit' : isGuarded ? 'required' : 'offered',
    isVerified: isGuarded,
    ...(user !== '' && { auth: { user, pass: decode(url.password) } }),
  }
}

function isLoopback(host: string) {
  const version = isIP(host)
  return version === 0 ? /^(.+\.)?localhost$/.test(host) : loopback.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a % that is not percent-encoding is kept as it is
  }
}
