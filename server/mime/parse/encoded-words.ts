import { isAscii } from 'node:buffer'
import { mimeLimits } from '../limits.ts'
import { decodeBase64 } from './base64.ts'
import { decodeText } from './charset.ts'
import { hexPair } from './transfer-encoding.ts'

/**
 * Decodes the encoded words (RFC 2047, section 6.2) of a header value. Adjacent words of one charset are decoded together, because
 * senders split characters between them.
 */
export function decodeWords(value: string): string {
  if (!value.includes('=?')) return value
  let text = ''
  let end = 0
  let run: Run | null = null
  encodedWord.lastIndex = 0 // not matchAll, which makes a copy of the expression each time
  for (let match = encodedWord.exec(value); match; match = encodedWord.exec(value)) {
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
const encodedWord = new RegExp(
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
  const bytes = run.pieces.map(({ isBase64, payloads }) => isBase64 ? decodeBase64(Buffer.from(payloads.join(''))) : decodeQ(payloads[0]!))
  return decodeText(bytes.length === 1 ? bytes[0]! : Buffer.concat(bytes), run.charset)
}

const decodeQ = (payload: string) => unescapeHex(payload.replaceAll('_', ' '), '=')

/** Decodes percent-encoded text (RFC 2231, section 4), `%41`, by a charset. */
export function decodePercent(text: string, charset: string): string {
  const bytes = unescapeHex(text, '%')
  return decodeText(bytes, charset)
}

/** Decodes escapes of a sign and two hexadecimal digits; malformed ones stay as they are. */
function unescapeHex(text: string, sign: '=' | '%'): Buffer {
  const source = Buffer.from(text)
  const signByte = sign.charCodeAt(0)
  let length = 0
  for (let i = 0; i < source.length; i++) {
    const value = source[i] === signByte ? hexPair(source, i + 1) : -1
    source[length++] = value < 0 ? source[i]! : value
    if (value >= 0) i += 2
  }
  return source.subarray(0, length)
}

/**
 * Encodes raw 8-bit bytes within encoded words (RFC 2047, section 4) as `=FC` and within extended parameters (RFC 2231, section 4) as
 * `%FC`, so that they are decoded by the charset that is declared there.
 * @param hasParameters whether the value may have parameters: `attachment; filename*=iso-8859-1''Gr%FC%DFe.txt`
 */
export function escapeDeclared(value: Buffer, hasParameters: boolean): Buffer {
  if (isAscii(value)) return value
  const text = value.toString('latin1')
  const words = text.replace(encodedWord, (word) => escapeBytes(word, '='))
  const escaped = hasParameters ? words.replace(extendedParameter, (parameter) => escapeBytes(parameter, '%')) : words
  return escaped === text ? value : Buffer.from(escaped, 'latin1')
}

const extendedParameter = /\*[ \t]*=[^;]*/g

const escapeBytes = (text: string, sign: string) =>
  text.replace(/[\x80-\xff]/g, (byte) => `${sign}${byte.charCodeAt(0).toString(16).toUpperCase()}`)
