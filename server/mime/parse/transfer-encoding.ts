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
  let trimmedLength = 0 // without the white space at the end, which is removed when the line ends here
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]!
    if (byte === EQUALS) {
      const value = hexPair(body, i + 1)
      if (value >= 0) {
        out[length++] = value
        trimmedLength = length
        i += 2
        continue
      }
      const end = endOfPaddedLine(body, i + 1)
      if (end > 0) {
        trimmedLength = length
        i = end - 1
        continue
      }
    } else if (byte === LF || (byte === CR && body[i + 1] === LF)) {
      length = trimmedLength
    } else if (byte === SPACE || byte === TAB) {
      out[length++] = byte
      if (length - trimmedLength <= maxTrimmedBytes) continue
      trimmedLength = length
      continue
    }
    out[length++] = byte
    trimmedLength = length
  }
  return out.subarray(0, length)
}

export const EQUALS = 0x3d
export const SPACE = 0x20
export const TAB = 0x09

/** Returns the value of two hexadecimal digits, -1 when there are none. */
export function hexPair(body: Buffer, at: number): number {
  const high = hexDigit(body[at])
  const low = hexDigit(body[at + 1])
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
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
