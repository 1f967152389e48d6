import { isAscii } from 'node:buffer'
import { CR, LF } from '../../line-endings.ts'
import { cleanText } from '../clean-text.ts'
import { mimeLimits } from '../limits.ts'
import { decodeUndeclared } from './charset.ts'
import { escapeDeclared } from './eight-bit.ts'

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
 * as UTF-8 where valid, else as windows-1252. Lines that are not fields, such as the "From " line of an mbox file, are skipped.
 */
export function readHeaderBlock(block: Buffer): HeaderBlock {
  const fields: HeaderField[] = []
  const first = new Map<string, string>()
  const text = block.length <= maxWholeBytes && isAscii(block) ? block.toString('latin1') : null
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
      const value = unfold(text ? text.slice(from, to) : decodeValue(block.subarray(from, to), key))
      fields.push({ name, value })
      if (!first.has(key)) first.set(key, value)
    }
    position = end
  }
  return { fields, first, isCut }
}

/** Maximum length of a block of ASCII that is decoded as a whole, which takes half the time. */
const maxWholeBytes = 64 * 1024

const decodeValue = (bytes: Buffer, key: string) => decodeUndeclared(escapeDeclared(bytes, key.startsWith('content-')))

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

/**
 * Returns the index after the empty line that ends a header.
 * @param endsAt whether the line at an index, which begins with a hyphen, ends the header without an empty line
 */
export function endOfHeader(raw: Buffer, from: number, endsAt?: (index: number) => boolean): number {
  let at = from
  while (at < raw.length) {
    if (raw[at] === LF) return at + 1
    if (raw[at] === CR && raw[at + 1] === LF) return at + 2
    if (raw[at] === HYPHEN && endsAt?.(at)) return at
    const end = raw.indexOf(LF, at)
    if (end < 0) return raw.length
    at = end + 1
  }
  return raw.length
}

const COLON = 0x3a
const HYPHEN = 0x2d
const maxNameBytes = 200

/** Returns the index after the field that starts at `from`, including its folded lines. */
function endOfField(block: Buffer, from: number): number {
  let end = from
  do {
    end = block.indexOf(LF, end) + 1
    if (end === 0) return block.length
  } while (block[end] === 0x20 || block[end] === 0x09)
  return end
}

/** Returns the index of the colon after a field's name, -1 when the line is not a field. */
function colonOf(block: Buffer, from: number, end: number): number {
  let i = from
  const limit = Math.min(end, from + maxNameBytes)
  while (i < limit && block[i]! > 0x20 && block[i]! < 0x7f && block[i] !== COLON) i++
  const name = i
  while (i < limit && (block[i] === 0x20 || block[i] === 0x09)) i++
  return name > from && block[i] === COLON ? i : -1
}

function unfold(value: string): string {
  return (/[\r\n]/.test(value) ? value.replace(/[\r\n]+[ \t]?/g, foldedSpace) : value).trim()
}

function foldedSpace(fold: string): string {
  return fold.endsWith('\t') || fold.endsWith(' ') ? ' ' : ''
}
