import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { addressMatcher, isLoopback } from '../network.ts'

export interface CallerAddresses {
  /** The IP address of a caller: the peer of the connection, or the address that trusted proxies report in their headers. */
  of(req: IncomingMessage): string
  /** Whether many callers may share this peer address: that of a trusted proxy, or loopback. */
  isProxy(address: string): boolean
}

/** Headers that proxies add. */
const forwardingHeader = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/

/** Whether a request has headers that proxies add. */
export const isForwarded = ({ headers }: IncomingMessage): boolean => Object.keys(headers).some((name) => forwardingHeader.test(name))

/**
 * Determines the IP addresses of callers. Forwarded addresses are read from the last hop backwards, as long as the hop that reports
 * one is trusted: a caller can write anything into the entries before that (IP spoofing).
 * @param trusted addresses and networks of proxies
 */
export function openCallerAddresses(trusted: string[]): CallerAddresses {
  const isTrusted = addressMatcher(trusted)
  const lastUntrusted = (peer: string, hops: (string | undefined)[]) => {
    let address = peer
    for (const hop of hops.toReversed()) {
      if (hop === undefined || !isTrusted(address)) break
      address = hop
    }
    return address
  }
  const peers = new WeakMap<Socket, string>()
  const peerOf = (socket: Socket) => {
    const known = peers.get(socket)
    if (known !== undefined) return known
    const peer = plainAddress(socket.remoteAddress ?? '') ?? ''
    peers.set(socket, peer)
    return peer
  }
  return {
    of({ socket, headers }) {
      const peer = peerOf(socket)
      if (!isTrusted(peer)) return peer
      const found = new Set<string>()
      if (headers['x-forwarded-for'] !== undefined) found.add(lastUntrusted(peer, hopsOfList(String(headers['x-forwarded-for']))))
      if (headers.forwarded !== undefined) found.add(lastUntrusted(peer, hopsOfForwarded(headers.forwarded)))
      // a proxy sets one of the two headers and passes the other on unchanged: when they differ, either may be forged
      return found.size === 1 ? [...found][0]! : peer
    },
    isProxy: (address) => isTrusted(address) || isLoopback(address),
  }
}

/** `X-Forwarded-For`: addresses from the first caller to the last proxy, some with a port. */
const hopsOfList = (header: string) => header === '' ? [] : header.split(',').map((hop) => addressIn(hop.trim()))

/** `Forwarded` (RFC 7239): one `for=` per hop, in quotes when it has a port or is IPv6; it may be an obfuscated identifier. */
function hopsOfForwarded(header: string) {
  const elements = header.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []
  return elements.map((element) => {
    const [, quoted, token] = /(?:^|;)\s*for=(?:"((?:[^"\\]|\\.)*)"|([^;,\s"]*))/i.exec(element) ?? []
    return addressIn(quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '')
  })
}

/** @returns undefined unless the hop is an IP address, optionally in brackets and with a port */
function addressIn(hop: string): string | undefined {
  const [, bracketed, ipv4] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+)(?::\d+)?)$/.exec(hop) ?? []
  return plainAddress(bracketed ?? ipv4 ?? hop)
}

/** Normalized; an IPv4-mapped IPv6 address becomes IPv4. */
const plainAddress = (text: string): string | undefined => isAddress(text) ? ipaddr.process(text).toString() : undefined

/** Stricter than ipaddr.js alone, which accepts `1`, octal and hexadecimal numbers as IPv4. */
const isAddress = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
