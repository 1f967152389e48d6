import { mimeLimits } from '../limits.ts'
import { decodePercent, decodeWords } from './encoded-words.ts'

/** A structured header value: `text/plain; charset=utf-8`. */
export interface HeaderValue { value: string, parameters: Map<string, string> }

/**
 * Reads `value; name=value; …` with quoted strings, comments, continuations and charsets (RFC 2231, sections 3 and 4), and encoded
 * words, which senders use in file names although RFC 2047, section 5, forbids it. Of repeated parameters, the first counts.
 */
export function parseHeaderValue(source: string): HeaderValue {
  const [first = '', ...rest] = splitAtSemicolons(source)
  const parameters = new Map<string, string>()
  const extended = new Map<string, Segment[]>()
  for (const part of rest) {
    const equals = part.indexOf('=')
    if (equals < 1) continue
    const name = part.slice(0, equals).trim().toLowerCase()
    const value = unquote(part.slice(equals + 1).trim())
    const star = name.indexOf('*')
    if (star > 0) addSegment(extended, name.slice(0, star), name.slice(star + 1), value)
    else if (!parameters.has(name)) parameters.set(name, decodeWords(value).slice(0, mimeLimits.parameterChars))
  }
  // the form of RFC 2231, section 3, replaces the plain one, which is a fallback for old programs
  for (const [name, segments] of extended) parameters.set(name, joinSegments(segments))
  return { value: withoutComments(first).trim(), parameters }
}

/** Maximum parameters and continuations that are read of one value. */
const maxParameters = 1_000

interface Segment { index: number, isEncoded: boolean, value: string }

function addSegment(extended: Map<string, Segment[]>, name: string, suffix: string, value: string): void {
  const isEncoded = suffix === '' || suffix.endsWith('*')
  const digits = suffix.replace('*', '')
  if (!/^\d{0,6}$/.test(digits)) return
  const segments = extended.get(name) ?? []
  segments.push({ index: Number(digits), isEncoded, value })
  extended.set(name, segments)
}

function joinSegments(segments: Segment[]): string {
  segments.sort((a, b) => a.index - b.index)
  let charset = ''
  let text = ''
  let encoded = ''
  for (const [i, segment] of segments.entries()) {
    let value = segment.value
    if (i === 0 && segment.isEncoded) {
      const quoted = /^([^']*)'[^']*'/.exec(value)
      if (quoted) {
        charset = quoted[1]!
        value = value.slice(quoted[0].length)
      }
    }
    // adjacent encoded segments are decoded together: a character may be split between them
    if (segment.isEncoded) {
      encoded += value
      continue
    }
    text += decodePercent(encoded, charset) + value
    encoded = ''
    if (text.length > mimeLimits.parameterChars) break
  }
  text += decodePercent(encoded.slice(0, mimeLimits.parameterChars), charset)
  return text.slice(0, mimeLimits.parameterChars)
}

function splitAtSemicolons(source: string): string[] {
  if (!source.includes('"')) return source.split(';', maxParameters)
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let i = 0; i < source.length && parts.length < maxParameters; i++) {
    const code = source.charCodeAt(i)
    if (code === 0x5c && isQuoted) i++
    else if (code === 0x22) isQuoted = !isQuoted
    else if (code === 0x3b && !isQuoted) {
      parts.push(source.slice(start, i))
      start = i + 1
    }
  }
  if (parts.length < maxParameters) parts.push(source.slice(start))
  return parts
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value
  let text = ''
  for (let i = 1; i < value.length; i++) {
    const char = value[i]!
    if (char === '"') break
    // Windows paths have single backslashes, so a backslash escapes only a quote or a backslash
    if (char === '\\' && (value[i + 1] === '"' || value[i + 1] === '\\')) text += value[++i]
    else text += char
  }
  return text
}

function withoutComments(value: string): string {
  const open = value.indexOf('(')
  if (open < 0) return value
  const close = value.lastIndexOf(')')
  return value.slice(0, open) + (close > open ? value.slice(close + 1) : '')
}
