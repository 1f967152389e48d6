import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

export interface CallerAddresses {
  /** The IP address of whom a request is from: that of its connection, or what a trusted proxy says of it. */
  of(req: IncomingMessage): string
  /** Whether many callers may share this address of a connection: a proxy that is trusted, or any on this machine. */
  isProxy(address: string): boolean
}

/** Headers in which a proxy says for whom it asks. */
const forwardingHeader = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/

/** Whether a request came through a proxy, as far as its headers tell. */
export const isForwarded = ({ headers }: IncomingMessage): boolean => Object.keys(headers).some((name) => forwardingHeader.test(name))

/**
 * Finds out who asks. What a proxy says of its peer is believed as far as each hop, from the last one on, is trusted; a caller can
 * write anything before that.
 * @param trusted addresses and networks
 */
export function openCallerAddresses(trusted: string[]): CallerAddresses {
  const networks = trusted.map((network) => network.includes('/') ? ipaddr.parseCIDR(network) : wholeAddress(network))
  const isTrusted = (address: string) => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return networks.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits))
  }
  const lastUntrusted = (peer: string, hops: (string | undefined)[]) => {
    let address = peer
    for (const hop of hops.toReversed()) {
      if (hop === undefined || !isTrusted(address)) break
      address = hop
    }
    return address
  }
  return {
    of({ socket, headers }) {
      const peer = plainAddress(socket.remoteAddress ?? '') ?? ''
      if (!isTrusted(peer)) return peer
      const found = new Set<string>()
      if (headers['x-forwarded-for'] !== undefined) found.add(lastUntrusted(peer, hopsOfList(String(headers['x-forwarded-for']))))
      if (headers.forwarded !== undefined) found.add(lastUntrusted(peer, hopsOfForwarded(headers.forwarded)))
      // a proxy writes one of the two and passes on the other: when they differ, the caller may have written either
      return found.size === 1 ? [...found][0]! : peer
    },
    isProxy: (address) => isTrusted(address) || isLoopback(address),
  }
}

export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** `X-Forwarded-For`: addresses from the first caller to the last proxy, some with a port. */
const hopsOfList = (header: string) => header === '' ? [] : header.split(',').map((hop) => addressIn(hop.trim()))

/** `Forwarded` by RFC 7239: for each hop `for=`, with quotes where it has a port or is IPv6, or a name that hides it. */
function hopsOfForwarded(header: string) {
  const elements = header.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []
  return elements.map((element) => {
    const [, quoted, token] = /(?:^|;)\s*for=(?:"((?:[^"\\]|\\.)*)"|([^;,\s"]*))/i.exec(element) ?? []
    return addressIn(quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '')
  })
}

/** @returns undefined unless it is an address, in brackets or with a port or without */
function addressIn(hop: string): string | undefined {
  const [, bracketed, ipv4] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+)(?::\d+)?)$/.exec(hop) ?? []
  return plainAddress(bracketed ?? ipv4 ?? hop)
}

/** IPv4 also where it came as IPv6. */
const plainAddress = (text: string): string | undefined => isAddress(text) ? ipaddr.process(text).toString() : undefined

/** ipaddr.js takes `1`, octal and hexadecimal numbers as IPv4 too. */
const isAddress = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
