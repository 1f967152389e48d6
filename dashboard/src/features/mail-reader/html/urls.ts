/** An image of a mail: within the mail, or on another host. */
export type MailImage = { kind: 'attachment', contentId: string } | { kind: 'remote', url: string }

/** Formats without scripts or references; SVG has both. */
export const rasterTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']

const linkProtocols = ['http:', 'https:', 'mailto:']

/** A relative URL has this host after it was parsed. */
const noHost = 'relative.invalid'

/** @returns the target as the browser will request it, with punycode; undefined when it is relative, or neither http, https nor mailto */
export function readLink(value: string): string | undefined {
  const url = parse(value)
  return url && linkProtocols.includes(url.protocol) ? url.href : undefined
}

/** @returns the host that a link leads to, with punycode; the domain of a `mailto:` link is not one */
export const hostOf = (link: string): string => URL.parse(link)?.host ?? ''

/**
 * @param ownHost the name of this server: a mail must not make the browser call it with the cookie of the session
 * @returns a data URL as it is, or the image that is to be loaded; undefined when it is not allowed
 */
export function readImageUrl(value: string, ownHost: string): string | MailImage | undefined {
  const url = parse(value)
  if (!url) return undefined
  switch (url.protocol) {
    case 'data:': return rasterTypes.includes(/^data:([^;,]*)/i.exec(url.href)?.[1]?.trim().toLowerCase() ?? '') ? url.href : undefined
    case 'cid:': return { kind: 'attachment', contentId: decode(url.href.slice('cid:'.length)) }
    case 'http:':
    case 'https:': return url.hostname === ownHost ? undefined : { kind: 'remote', url: url.href }
    default: return undefined
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
