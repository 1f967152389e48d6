import ipaddr from 'ipaddr.js'
import { essenceOf, isRasterType } from './image-types.ts'

/** An image of a mail: within the mail, within its HTML, or on another host. */
export type MailImage = { kind: 'attachment', contentId: string } | { kind: 'data' | 'remote', url: string }

const linkProtocols = ['http:', 'https:', 'mailto:']

/** A relative URL has this host after it was parsed. */
const noHost = 'relative.invalid'

/** @returns the target as the browser will request it, with punycode; undefined when it is relative, or neither http, https nor mailto */
export function readLink(value: string): string | undefined {
  const url = parse(value)
  return url && linkProtocols.includes(url.protocol) ? url.href : undefined
}

/** Names that the public DNS does not have, as `server/outbound/webhook-target.ts` knows them too. */
const privateName = /^[^.]*$|\.(localhost|local|localdomain|internal|intranet|lan|home|home\.arpa|corp|private|invalid|onion)$/

/** All global IPv6 addresses are in 2000::/3. */
const [globalV6, globalBits] = ipaddr.IPv6.parseCIDR('2000::/3')

function isPublicHost(host: string, ownHost: string): boolean {
  const [name, ownName] = [host, ownHost].map((each) => each.replaceAll(/^\[|[\].]$/g, '')) as [string, string]
  if (name === ownName) return false
  if (!ipaddr.isValid(name)) return !privateName.test(name)
  const address = ipaddr.parse(name)
  return address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(globalV6, globalBits))
}

/** SVG has scripts and references (`image-types.ts`). Under another name it is not recognized: a page cannot read images of other hosts. */
const drawing = /\.svgz?$/i

/**
 * @param ownHost the name of this server
 * @returns undefined when it is not allowed, as in the reader's own network (CSRF)
 */
export function readImageUrl(value: string, ownHost: string): MailImage | undefined {
  const url = parse(value)
  if (!url) return undefined
  switch (url.protocol) {
    case 'data:': return isRasterData(url.href) ? { kind: 'data', url: url.href } : undefined
    case 'cid:': return { kind: 'attachment', contentId: decode(url.href.slice('cid:'.length)) }
    case 'http:':
    case 'https:': return isPublicHost(url.hostname, ownHost) && !drawing.test(url.pathname) ? { kind: 'remote', url: url.href } : undefined
    default: return undefined
  }
}

function isRasterData(url: string): boolean {
  const type = /^data:([^,]*)/i.exec(url)?.[1] ?? ''
  return isRasterType(type) || essenceOf(type) === 'application/octet-stream' // of which browsers show raster images alone
}

/** @returns the bytes of a `data:` URL; undefined when they cannot be decoded, and the browser shows nothing */
export function fileOfData(url: string): Blob | undefined {
  const [, type, data] = /^data:([^,]*),([^#]*)/i.exec(url) ?? []
  if (type === undefined || data === undefined) return undefined
  const text = data.replaceAll(/%([\da-f]{2})/gi, (_code, digits: string) => String.fromCharCode(parseInt(digits, 16)))
  try {
    const bytes = /; *base64$/i.test(type) ? atob(text) : text
    return new Blob([Uint8Array.from(bytes, (character) => character.charCodeAt(0))])
  } catch {
    return undefined
  }
}

function parse(value: string): URL | undefined {
  const url = URL.parse(value, `https://${noHost}/`)
  return url && url.hostname !== noHost ? url : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a % that stands for itself
  }
}
