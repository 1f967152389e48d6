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

function faultOf(text: string) {
  if (text.includes('\0')) return 'must not have the character U+0000; leave it out'
  return text.isWellFormed() ? undefined : 'must not have half of a surrogate pair (U+D800 to U+DFFF); write whole characters'
}
