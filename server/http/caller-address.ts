import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config.ts'
import { addressMatcher } from '../network.ts'
import { isEscaped } from './value-checks.ts'

export interface CallerAddresses {
  /** The IP address of a caller: the peer of the connection, or the address that trusted proxies report. */
  of(req: IncomingMessage): string
  /** Whether this peer address is that of a trusted proxy, which other callers share. */
  isProxy(address: string): boolean
}

/** Headers that proxies add. */
const forwardingHeader = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/

/** Whether a request has headers that proxies add. @param clientHeader the header by `MAYFLY_CLIENT_HEADER`, in lower case */
export const isForwarded = ({ headers }: IncomingMessage, clientHeader: string): boolean =>
  clientHeader in headers || Object.keys(headers).some((name) => forwardingHeader.test(name))

/**
 * Determines the IP addresses of callers. Forwarded addresses are read from one header alone, from the last hop backwards, as long as the
 * hop that reports one is trusted: a caller can write anything into the entries before that, and into other headers (IP spoofing).
 */
export function openCallerAddresses({ trustedProxies, clientHeader }: Config['http']): CallerAddresses {
  const isTrusted = addressMatcher(trustedProxies)
  const hopsOf = clientHeader === 'forwarded' ? hopsOfForwarded : hopsOfList
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
      const header = headers[clientHeader]
      return header === undefined || !isTrusted(peer) ? peer : lastUntrusted(peer, hopsOf(String(header)))
    },
    isProxy: isTrusted,
  }
}

/** `X-Forwarded-For` and other headers: addresses from the first caller to the last proxy, some with a port. */
const hopsOfList = (header: string) => header === '' ? [] : header.split(',').map((hop) => addressIn(hop.trim()))

/** `Forwarded` (RFC 7239): one `for=` per hop, in quotes when it has a port or is IPv6; it may be an obfuscated identifier. */
function hopsOfForwarded(header: string) {
  return elementsOf(header).map((element) => {
    const [, quoted, token] = /(?:^|;)\s*for=(?:"((?:[^"\\]|\\.)*)"|([^;,\s"]*))/i.exec(element) ?? []
    return addressIn(quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '')
  })
}

/**
 * The elements of `Forwarded`, which commas outside of quotes separate. Read from the end: a quote that a caller leaves open must not take
 * the elements of the proxies after it into its own.
 */
function elementsOf(header: string): string[] {
  const elements: string[] = []
  let end = header.length
  let isQuoted = false
  for (let at = header.length - 1; at >= 0; at--) {
    if (header[at] === '"' && !isEscaped(header, at)) isQuoted = !isQuoted
    if (header[at] !== ',' || isQuoted) continue
    elements.push(header.slice(at + 1, end))
    end = at
  }
  return [...elements, header.slice(0, end)].reverse()
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
