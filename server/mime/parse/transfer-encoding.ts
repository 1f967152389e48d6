import { CR, LF } from '../../line-endings.ts'
import { decodeBase64 } from './base64.ts'
import { decodeUuencode } from './uuencode.ts'

export type TransferEncoding = 'base64' | 'quoted-printable' | 'uuencode' | 'identity'

/** The encoding of a Content-Transfer-Encoding, in lower case. A body in an unknown encoding is taken as it is. */
export const transferEncoding = (name: string): TransferEncoding => encodings.get(name) ?? 'identity'

const encodings = new Map<string, TransferEncoding>([
  ['base64', 'base64'],
  ['quoted-printable', 'quoted-printable'],
  // in use, although not registered with IANA
  ['x-uuencode', 'uuencode'], ['x-uue', 'uuencode'], ['uuencode', 'uuencode'], ['uue', 'uuencode'],
])

/**
 * Decodes a body by its Content-Transfer-Encoding. One in an unknown encoding is returned as it is. The result shares memory with `body`
 * when there is nothing to decode.
 */
export function decodeTransfer(body: Buffer, encoding: string): Buffer {
  return decoders[transferEncoding(encoding)](body)
}

const decoders: Record<TransferEncoding, (body: Buffer) => Buffer> = {
  'base64': decodeBase64,
  'quoted-printable': decodeQuotedPrintable,
  'uuencode': decodeUuencode,
  'identity': (body) => body,
}

/** Maximum bytes of white space before a line break that are removed together. */
export const maxTrimmedBytes = 64 * 1024

/** Decodes quoted-printable: removes soft line breaks and white space at the end of a line; malformed escapes stay as they are. */
export function decodeQuotedPrintable(body: Buffer): Buffer {
  if (!body.includes(EQUALS) && !/[ \t]\r?\n/.test(body.toString('latin1'))) return body
  const out = Buffer.allocUnsafeSlow(body.length)
  let length = 0
  let escapeEnd = 0 // in `out`: white space before it stays
  let i = 0
  while (i < body.length) {
    let byte = body[i++]!
    // most bytes stay as they are: a loop of their own is three times as fast
    while (byte !== EQUALS && byte !== LF && i < body.length) {
      out[length++] = byte
      byte = body[i++]!
    }
    if (byte === EQUALS) {
      const value = hexPair(body, i)
      if (value >= 0) {
        out[length++] = value
        i += 2
      } else {
        const lineEnd = endOfPaddedLine(body, i)
        if (lineEnd > 0) i = lineEnd
        else out[length++] = EQUALS
      }
      escapeEnd = length
    } else {
      if (byte === LF) length = trimLine(out, length, escapeEnd)
      out[length++] = byte
    }
  }
  return out.subarray(0, length)
}

/**
 * Removes white space at the end of a line, also before a carriage return, but keeps each `maxTrimmedBytes` + 1 of a longer run.
 * @returns the new length of `out`
 */
function trimLine(out: Buffer, length: number, start: number): number {
  const hasReturn = length > start && out[length - 1] === CR
  const textEnd = hasReturn ? length - 1 : length
  let end = textEnd
  while (end > start && (out[end - 1] === SPACE || out[end - 1] === TAB)) end--
  end += textEnd - end - (textEnd - end) % (maxTrimmedBytes + 1)
  if (hasReturn) out[end++] = CR
  return end
}

export const EQUALS = 0x3d
export const SPACE = 0x20
export const TAB = 0x09

/** The values of hexadecimal digits by their code, -1 for other bytes. */
const hexValues = new Int8Array(256).fill(-1)
for (const digit of '0123456789abcdefABCDEF') hexValues[digit.charCodeAt(0)] = Number.parseInt(digit, 16)

/** Returns the value of two hexadecimal digits, -1 when there are none. */
export function hexPair(body: Buffer, at: number): number {
  if (at + 1 >= body.length) return -1
  const high = hexValues[body[at]!]!
  const low = hexValues[body[at + 1]!]!
  return high < 0 || low < 0 ? -1 : high << 4 | low
}

/** Maximum bytes of white space between "=" and the line break. */
const maxPaddingBytes = 100
/** Bytes from a "=" on by which `endOfPaddedLine` decides: the "=", white space, and the line break. */
export const maxLineEndBytes = 1 + maxPaddingBytes + 1

/** Returns the index after the line break when there is only white space before it, else 0. */
export function endOfPaddedLine(body: Buffer, from: number): number {
  let i = from
  const limit = Math.min(body.length, from + maxPaddingBytes)
  while (i < limit && (body[i] === SPACE || body[i] === TAB || body[i] === CR)) i++
  if (i >= body.length) return body.length
  return body[i] === LF ? i + 1 : 0
}
