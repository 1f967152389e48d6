import { isUtf8 } from 'node:buffer'
import type { ErrorDetail } from '../errors.ts'

/**
 * Finds text that cannot be stored and sent unchanged: with a NUL, which SMTP forbids (RFC 5321, section 4.5.2) and functions of SQLite
 * take as the end, or with half of a surrogate pair, which UTF-8 cannot encode.
 */
export function unstorableText(value: unknown, path: string): ErrorDetail[] {
  if (typeof value === 'string') {
    const message = faultOf(value)
    return message ? [{ path, message }] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => unstorableText(member, path ? `${path}.${name}` : name))
}

/** Finds bytes that are not UTF-8, which the parser of a query replaces by U+FFFD. */
export function undecodableQuery(querystring: string): ErrorDetail[] {
  const bytes = querystring.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return isUtf8(Buffer.from(bytes, 'latin1')) ? [] : [{ path: 'query', message: 'is not UTF-8 in percent-encoding' }]
}

function faultOf(text: string) {
  if (text.includes('\0')) return 'must not have the character U+0000; leave it out'
  return text.isWellFormed() ? undefined : 'must not have half of a surrogate pair (U+D800 to U+DFFF); write whole characters'
}
