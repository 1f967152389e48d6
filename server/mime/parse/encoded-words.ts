import { mimeLimits } from '../limits.ts'
import { decodeText, decodeUndeclared } from './charset.ts'
import { decodeBase64Text, hexDigit } from './transfer-encoding.ts'

/**
 * Decodes the encoded words (RFC 2047) of a header value. Adjacent words of one charset are decoded together, because senders split
 * characters between them.
 */
export function decodeWords(value: string): string {
  if (!value.includes('=?')) return value
  let text = ''
  let end = 0
  let run: Run | null = null
  for (const match of value.matchAll(encodedWord)) {
    const [whole, label, encoding, payload] = match as unknown as [string, string, string, string]
    const gap = value.slice(end, match.index)
    const charset = label.split('*', 1)[0]!.toLowerCase()
    const isAdjacent = run !== null && gap.trim() === ''
    if (!isAdjacent || run!.charset !== charset) {
      text += endOf(run) + (isAdjacent ? '' : gap)
      run = { charset, pieces: [] }
    }
    addWord(run!.pieces, encoding === 'B' || encoding === 'b', payload)
    end = match.index + whole.length
  }
  return text + endOf(run) + value.slice(end)
}

/** `=?charset?encoding?payload?=`. Some senders have question marks in the payload: only "?=", or "=?" of another word, ends it. */
export const encodedWord = new RegExp(
  String.raw`=\?([^?\s]{0,60})\?([BbQq])\?((?:[^?=]|\?(?!=)|=(?!\?[^=])){0,${mimeLimits.headerValueBytes}})\?=`, 'g')

/** Encoded words of one charset, with only white space between them. */
interface Run { charset: string, pieces: Piece[] }

/** One encoded word, or several whose base64 has to be decoded together. */
interface Piece { isBase64: boolean, payloads: string[], length: number }

function addWord(pieces: Piece[], isBase64: boolean, payload: string): void {
  const last = pieces.at(-1)
  if (isBase64 && last && isCut(last)) {
    last.payloads.push(payload)
    last.length += payload.length
  } else {
    pieces.push({ isBase64, payloads: [payload], length: payload.length })
  }
}

/** Whether base64 ends within a byte: some senders split the encoded text in place of the bytes. */
function isCut({ isBase64, payloads, length }: Piece): boolean {
  const rest = length % 4
  const last = base64Alphabet.indexOf(payloads.at(-1)!.at(-1) ?? '=')
  if (!isBase64 || rest === 0 || last < 0) return false
  return rest === 1 || (last & (rest === 2 ? 0b1111 : 0b11)) !== 0
}

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function endOf(run: Run | null): string {
  if (!run) return ''
  const bytes = run.pieces.map(({ isBase64, payloads }) => isBase64 ? decodeBase64Text(payloads.join('')) : decodeQ(payloads[0]!))
  return decodeText(bytes.length === 1 ? bytes[0]! : Buffer.concat(bytes), run.charset)
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

/** Decodes percent-encoded text (RFC 2231), `%41`, by a charset. */
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
