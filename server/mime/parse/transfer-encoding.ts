import { decodeUuencode } from './uuencode.ts'

/**
 * The bytes behind a Content-Transfer-Encoding, lenient as mail needs it: unknown encodings are read as they
 * stand. The result shares memory with `body` when there is nothing to decode.
 */
export function decodeTransfer(body: Buffer, encoding: string): Buffer {
  return DECODERS.get(encoding)?.(body) ?? body
}

const DECODERS = new Map<string, (body: Buffer) => Buffer>([
  ['base64', decodeBase64],
  ['quoted-printable', decodeQuotedPrintable],
  // not registered with IANA; these names are in use
  ['x-uuencode', decodeUuencode], ['x-uue', decodeUuencode], ['uuencode', decodeUuencode], ['uue', decodeUuencode],
])

/** Base64 with foreign characters skipped; several padded runs in a row are read one after the other. */
export function decodeBase64(body: Buffer): Buffer {
  return decodeBase64Text(body.toString('latin1'))
}

export function decodeBase64Text(text: string): Buffer {
  const padding = text.indexOf('=')
  if (padding < 0 || !/[A-Za-z0-9+/]/.test(text.slice(padding))) return Buffer.from(text, 'base64')
  const runs = text.split(/=+/, MAX_RUNS)
  return Buffer.concat(runs.map((run) => Buffer.from(run, 'base64')))
}

const MAX_RUNS = 100_000

/** Quoted-printable: soft breaks and white space before a line's end go, broken escapes stay as written. */
export function decodeQuotedPrintable(body: Buffer): Buffer {
  if (!body.includes(EQUALS) && !/[ \t]\r?\n/.test(body.toString('latin1'))) return body
  const out = Buffer.allocUnsafeSlow(body.length)
  let length = 0
  // Where the output ends once the white space that only padded the line is taken away.
  let solid = 0
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]!
    if (byte === EQUALS) {
      const value = hexPair(body, i + 1)
      if (value >= 0) {
        out[length++] = value
        solid = length
        i += 2
        continue
      }
      const end = endOfPaddedLine(body, i + 1)
      if (end > 0) {
        solid = length
        i = end - 1
        continue
      }
    } else if (byte === LF || (byte === CR && body[i + 1] === LF)) {
      length = solid
    } else if (byte === SPACE || byte === TAB) {
      out[length++] = byte
      continue
    }
    out[length++] = byte
    solid = length
  }
  return out.subarray(0, length)
}

const EQUALS = 0x3d
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const TAB = 0x09

function hexPair(body: Buffer, at: number): number {
  const high = hexDigit(body[at])
  const low = hexDigit(body[at + 1])
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

export function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** The index behind the line break when only white space stands before it, else 0. */
function endOfPaddedLine(body: Buffer, from: number): number {
  let i = from
  const limit = Math.min(body.length, from + 100)
  while (i < limit && (body[i] === SPACE || body[i] === TAB || body[i] === CR)) i++
  if (i >= body.length) return body.length
  return body[i] === LF ? i + 1 : 0
}
