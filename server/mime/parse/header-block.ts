import { isAscii } from 'node:buffer'
import { CR, LF } from '../../line-endings.ts'
import { cleanText } from '../clean-text.ts'
import { mimeLimits } from '../limits.ts'
import { decodeUndeclared, isKnownCharset } from './charset.ts'
import { escapeDeclared } from './encoded-words.ts'

interface HeaderField { name: string, value: string }

/** The header of a message or of a part. */
export interface HeaderBlock {
  fields: HeaderField[]
  /** The first value of each field by its name in lower case. */
  first: Map<string, string>
  /** Whether fields or parts of values were left out. */
  isCut: boolean
}

/**
 * Reads the fields of a header block. Values are unfolded, and 8-bit bytes decoded: by the charset that the value declares for them, else
 * as UTF-8 where valid, else by the charset of the body, else as windows-1252. Lines that are not fields are skipped.
 * @param bodyCharset the charset that the header of another part declares; called when it is needed
 */
export function readHeaderBlock(block: Buffer, bodyCharset = () => ''): HeaderBlock {
  const fields: HeaderField[] = []
  const first = new Map<string, string>()
  const isPlain = block.length <= maxWholeBytes && isAscii(block) && !block.includes(ESCAPE) && !block.includes('~{')
  const text = isPlain ? block.toString('latin1') : null
  let charset: string | undefined
  const fallback = () => charset ??= declaredCharset(block) || bodyCharset()
  const decode = (bytes: Buffer, key: string) => decodeUndeclared(escapeDeclared(bytes, key.startsWith('content-')), fallback)
  let isCut = false
  let position = 0
  while (position < block.length) {
    const end = endOfField(block, position)
    const colon = colonOf(block, position, end)
    if (colon > position) {
      if (fields.length >= mimeLimits.headerFields) return { fields, first, isCut: true }
      const name = (text ? text.slice(position, colon) : block.toString('latin1', position, colon)).trimEnd()
      const from = colon + 1
      const to = Math.min(end, from + mimeLimits.headerValueBytes)
      if (to < end) isCut = true
      const key = name.toLowerCase()
      const value = unfold(text ? text.slice(from, to) : decode(block.subarray(from, to), key))
      fields.push({ name, value })
      if (!first.has(key)) first.set(key, value)
    }
    position = end
  }
  return { fields, first, isCut }
}

/** Maximum length of a block of ASCII that is decoded as a whole, which takes half the time. */
const maxWholeBytes = 64 * 1024

/** The first charset that a header in these bytes declares, without UTF-8 and unknown ones; empty for none. */
export function declaredCharset(bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, maxWholeBytes)
  for (const [, charset = ''] of start.matchAll(/\bcharset\*?[ \t]{0,5}=[ \t]{0,5}["']{0,2}([\w.:-]{1,40})/gi)) {
    if (isKnownCharset(charset) && !/^utf-?8/i.test(charset)) return charset
  }
  return ''
}

/** Returns the fields as the API shows them, `name → value`, up to a total length. */
export function headerMap(block: HeaderBlock): { headers: Record<string, string>, isCut: boolean } {
  const entries = new Map<string, { name: string, values: string[] }>()
  let left: number = mimeLimits.headerMapChars
  let isCut = block.isCut
  for (const { name, value } of block.fields) {
    left -= value.length + 1
    const key = name.toLowerCase()
    const entry = entries.get(key)
    if (!entry) left -= name.length
    if (left < 0) {
      isCut = true
      break
    }
    if (entry) entry.values.push(value)
    else if (key !== '__proto__') entries.set(key, { name, values: [value] })
  }
  const pairs = [...entries.values()].map(({ name, values }) => [name, cleanText(values.join('\n'))] as const)
  return { headers: Object.fromEntries(pairs), isCut }
}

/** Where the header of a message stands. Its body begins at `end`. */
export interface HeaderRange { start: number, end: number }

/** Finds the header of a message, which may follow a byte order mark, empty lines, or the "From " line of an mbox file. */
export function findHeader(raw: Buffer): HeaderRange {
  const from = raw.indexOf(byteOrderMark) === 0 ? byteOrderMark.length : 0
  let start = from
  while (isEmptyLine(raw, start)) start = endOfLine(raw, start)
  if (start > from && !isUsualField(raw, start)) return { start: from, end: endOfLine(raw, from) }
  const isMbox = /^>?From /.test(raw.toString('latin1', start, start + 6))
  return { start, end: isMbox ? endOfHeader(raw, endOfLine(raw, start), { hasField: true }) : endOfHeader(raw, start) }
}

/** Whether a field behind these lines would belong to the header of the message that begins with them. */
export const headerGoesOn = (lines: Buffer): boolean => findHeader(Buffer.concat([lines, furtherField])).end > lines.length
const furtherField = Buffer.from('From: a\r\n')

interface HeaderContext {
  /** Whether a line before these is part of the header. */
  hasField?: boolean
  /** Whether the line at an index, which begins with a hyphen, ends the header without an empty line. */
  endsAt?: (index: number) => boolean
}

/**
 * Returns the index at which the body begins: behind the first empty line, or at a line that is no field and has no usual field after it.
 * There is no header when the first line is no field, or when a header without a usual field does not end with an empty line.
 */
export function endOfHeader(raw: Buffer, from: number, { hasField = false, endsAt }: HeaderContext = {}): number {
  let at = from
  let body = -1
  let hasUsual = hasField
  let compared = 0
  for (; at < raw.length && !isEmptyLine(raw, at) && !(raw[at] === HYPHEN && endsAt?.(at)); at = endOfLine(raw, at)) {
    if (at > from && isWhite(raw[at])) continue // a folded line
    if (colonOf(raw, at, raw.length) < 0) {
      if (at === from && !hasField) return from
      if (body < 0) body = at
    } else if ((body >= 0 || !hasUsual) && compared++ < mimeLimits.headerFields && isUsualField(raw, at)) {
      body = -1
      hasUsual = true
    }
  }
  if (body >= 0) return hasUsual ? body : from
  if (at < raw.length) return isEmptyLine(raw, at) ? endOfLine(raw, at) : at
  return hasUsual ? at : from
}

const COLON = 0x3a
const HYPHEN = 0x2d
const SLASH = 0x2f
const ESCAPE = 0x1b
const byteOrderMark = Buffer.from('\ufeff')
const maxNameBytes = 200

const usualField = new RegExp('^(?:from|to|cc|bcc|date|subject|sender|received|mime-version|message-id|return-path|delivered-to|reply-to|in-reply-to|references|' +
  '(?:x|content|list|resent|received|dkim|arc|authentication|auto)-[\\w-]+)[ \\t]*:', 'i')

const isUsualField = (raw: Buffer, at: number) => usualField.test(raw.toString('latin1', at, at + 60))
const isWhite = (byte: number | undefined) => byte === 0x20 || byte === 0x09
const isEmptyLine = (raw: Buffer, at: number) => raw[at] === LF || raw[at] === CR && raw[at + 1] === LF

function endOfLine(raw: Buffer, from: number): number {
  const at = raw.indexOf(LF, from)
  return at < 0 ? raw.length : at + 1
}

/** Returns the index after the field that starts at `from`, including its folded lines. */
function endOfField(block: Buffer, from: number): number {
  let end = from
  do {
    end = block.indexOf(LF, end) + 1
    if (end === 0) return block.length
  } while (isWhite(block[end]))
  return end
}

/** Returns the index of the colon after a field's name, -1 when the line is not a field. */
function colonOf(block: Buffer, from: number, end: number): number {
  let i = from
  const limit = Math.min(end, from + maxNameBytes)
  while (i < limit && block[i]! > 0x20 && block[i]! < 0x7f && block[i] !== COLON) i++
  const name = i
  while (i < limit && isWhite(block[i])) i++
  const isUrl = block[i + 1] === SLASH && block[i + 2] === SLASH
  return name > from && block[i] === COLON && !isUrl ? i : -1
}

const unfold = (value: string): string => (/[\r\n]/.test(value) ? value.replace(/[\r\n]+[ \t]/g, ' ').replace(/[\r\n]+/g, '') : value).trim()
