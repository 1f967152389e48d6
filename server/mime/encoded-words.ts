import { decodeText, decodeUndeclared } from './charset.ts'
import { hexDigit } from './transfer-encoding.ts'

/**
 * The text behind the encoded words (RFC 2047) of a header value. Words of one charset that touch are decoded
 * together, since senders cut characters in two.
 */
export function decodeWords(value: string): string {
  if (!value.includes('=?')) return value
  let text = ''
  let end = 0
  let run: Run | null = null
  for (const match of value.matchAll(ENCODED_WORD)) {
    const [whole, label, encoding, payload] = match as unknown as [string, string, string, string]
    const gap = value.slice(end, match.index)
    const charset = label.split('*', 1)[0]!.toLowerCase()
    const touches = run !== null && gap.trim() === ''
    if (!touches || run!.charset !== charset) {
      text += endOf(run) + (touches ? '' : gap)
      run = { charset, pieces: [] }
    }
    run!.pieces.push(encoding === 'B' || encoding === 'b' ? Buffer.from(payload, 'base64') : decodeQ(payload))
    end = match.index + whole.length
  }
  return text + endOf(run) + value.slice(end)
}

interface Run { charset: string; pieces: Buffer[] }

const ENCODED_WORD = /=\?([\w.:*()+-]{1,60})\?([BbQq])\?([^?]*)\?=/g

function endOf(run: Run | null): string {
  if (!run) return ''
  const bytes = run.pieces.length === 1 ? run.pieces[0]! : Buffer.concat(run.pieces)
  return decodeText(bytes, run.charset)
}

function decodeQ(payload: string): Buffer {
  const source = Buffer.from(payload)
  let length = 0
  for (let i = 0; i < source.length; i++) {
    const byte = source[i]!
    if (byte === 0x3d) {
      const high = hexDigit(source[i + 1])
      const low = hexDigit(source[i + 2])
      if (high >= 0 && low >= 0) {
        source[length++] = high * 16 + low
        i += 2
        continue
      }
    }
    source[length++] = byte === 0x5f ? 0x20 : byte
  }
  return source.subarray(0, length)
}

/** The bytes of `%41`-style text (RFC 2231), decoded by a charset. */
export function decodePercent(text: string, charset: string): string {
  const bytes = percentBytes(text)
  return charset ? decodeText(bytes, charset) : decodeUndeclared(bytes)
}

function percentBytes(text: string): Buffer {
  const source = Buffer.from(text)
  let length = 0
  for (let i = 0; i < source.length; i++) {
    const high = source[i] === 0x25 ? hexDigit(source[i + 1]) : -1
    const low = high >= 0 ? hexDigit(source[i + 2]) : -1
    if (low >= 0) {
      source[length++] = high * 16 + low
      i += 2
    } else {
      source[length++] = source[i]!
    }
  }
  return source.subarray(0, length)
}
