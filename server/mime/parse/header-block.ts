import { decodeUndeclared } from './charset.ts'
import { cleanText } from '../clean-text.ts'
import { escapeDeclared } from './eight-bit.ts'
import { LIMITS } from '../limits.ts'

export interface HeaderField { name: string; value: string }

/** The header of a message or of a part. */
export interface HeaderBlock {
  fields: HeaderField[]
  /** The first value of each field by its name in lower case. */
  first: Map<string, string>
  /** Fields or parts of values were left out. */
  isCut: boolean
}

/**
 * Reads the fields of a header block, values unfolded and 8-bit bytes decoded: by the charset that the value names for
 * them, else as UTF-8 where valid, else as windows-1252. Lines that are no fields, like an mbox "From " line, are skipped.
 */
export function readHeaderBlock(block: Buffer): HeaderBlock {
  const fields: HeaderField[] = []
  const first = new Map<string, string>()
  let isCut = false
  let position = 0
  while (position < block.length) {
    const end = endOfField(block, position)
    const colon = colonOf(block, position, end)
    if (colon > position) {
      if (fields.length >= LIMITS.headerFields) return { fields, first, isCut: true }
      const name = block.toString('latin1', position, colon).trimEnd()
      const from = colon + 1
      const to = Math.min(end, from + LIMITS.headerValue)
      if (to < end) isCut = true
      const key = name.toLowerCase()
      const bytes = escapeDeclared(block.subarray(from, to), key.startsWith('content-'))
      const value = unfold(decodeUndeclared(bytes))
      fields.push({ name, value })
      if (!first.has(key)) first.set(key, value)
    }
    position = end
  }
  return { fields, first, isCut }
}

/** The fields as the reader of a mail gets them: `name → value`, bounded in all. */
export function headerMap(block: HeaderBlock): { headers: Record<string, string>; isCut: boolean } {
  const entries = new Map<string, { name: string; values: string[] }>()
  let left: number = LIMITS.headerMap
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

const LF = 0x0a
const COLON = 0x3a
const MAX_NAME = 200

/** The index behind the field that starts at `from`, its folded lines included. */
function endOfField(block: Buffer, from: number): number {
  let end = from
  do {
    end = block.indexOf(LF, end) + 1
    if (end === 0) return block.length
  } while (block[end] === 0x20 || block[end] === 0x09)
  return end
}

/** The index of the colon behind a field's name, -1 when the line is no field. */
function colonOf(block: Buffer, from: number, end: number): number {
  let i = from
  const limit = Math.min(end, from + MAX_NAME)
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
