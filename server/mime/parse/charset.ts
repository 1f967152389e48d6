import { isAscii, isUtf8 } from 'node:buffer'
import { decodeUhc } from './uhc.ts'

/**
 * Decodes bytes by the name of a charset, one of those of the WHATWG Encoding Standard, which excludes UTF-7 for safety. Without a known
 * charset the bytes are decoded as UTF-8 where valid, else as windows-1252.
 */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const encoding = encodingOf(charset)
  if (encoding === 'utf-8' || encoding === 'unknown') {
    if (isAscii(buffer)) return buffer.toString('latin1')
    if (encoding === 'unknown' && !isUtf8(buffer)) return decoderOf('windows-1252').decode(buffer)
    return withoutByteOrderMark(buffer.toString('utf8'))
  }
  if (encoding === 'euc-kr') return decodeUhc(buffer)
  if (encoding === 'iso-2022-jp') return decoderOf(encoding).decode(withoutRedundantEscapes(buffer))
  return decoderOf(encoding === 'utf-16' ? byteOrderOf(buffer) : encoding).decode(buffer)
}

/** Decodes bytes without a declared charset, such as raw 8-bit characters in a header. */
export function decodeUndeclared(bytes: Uint8Array): string {
  return decodeText(bytes, '')
}

export function isKnownCharset(charset: string): boolean {
  return encodingOf(charset) !== 'unknown'
}

/** Names in use in mail that the standard's table of labels lacks. */
const aliases: Record<string, string> = {
  'cp932': 'shift_jis', 'cp936': 'gbk', 'cp949': 'euc-kr', 'ms949': 'euc-kr', 'uhc': 'euc-kr',
  'cp950': 'big5',
  'eucjp': 'euc-jp', 'eucjp-ms': 'euc-jp', 'euckr': 'euc-kr', 'sjis-win': 'shift_jis',
  'iso-2022-jp-1': 'iso-2022-jp', 'iso-2022-jp-2': 'iso-2022-jp', 'iso-2022-jp-ms': 'iso-2022-jp',
  'cp50220': 'iso-2022-jp', 'cp50221': 'iso-2022-jp', 'gb-18030': 'gb18030', 'koi8r': 'koi8-r',
  'koi8u': 'koi8-u',
  'cp874': 'windows-874', 'big5hkscs': 'big5-hkscs', 'utf-8-mac': 'utf-8', 'utf8mb4': 'utf-8',
  'mac': 'macintosh', 'ks_c_5601': 'euc-kr',
}

const encodings = new Map<string, string>()
const decoders = new Map<string, TextDecoder>()

function encodingOf(charset: string): string {
  const known = encodings.get(charset)
  if (known) return known
  const encoding = resolve(charset.trim().toLowerCase().split(/[\s(,;]/, 1)[0]!)
  // senders choose the names, so the cache is limited
  if (encodings.size < 500 && charset.length < 40) encodings.set(charset, encoding)
  return encoding
}

function resolve(label: string): string {
  // 8-bit bytes declared as us-ascii are an error of the sender: UTF-8 is tried first, as for an unknown charset
  if (!label || /^(us-?)?ascii$|^ansi_x3\.4-|^(8|7)bit$|^unknown|^x-unknown/.test(label)) return 'unknown'
  const name = aliases[label] ?? label.replace(/^(win-?|windows-?|cp-?|ms-?)(?=(125\d|874)$)/, 'windows-')
  try {
    const { encoding } = new TextDecoder(name)
    return encoding === 'utf-16le' && !/le$|^unicodefeff$/.test(name) ? 'utf-16' : encoding
  } catch {
    return 'unknown'
  }
}

/** Removes escape sequences directly before another one, as joined encoded words have: they have no effect, but decode to U+FFFD. */
function withoutRedundantEscapes(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/\x1b(?:\([BIJ]|\$[@B])(?=\x1b[($])/g, ''), 'latin1')
}

/** Finds the byte order of UTF-16: by its mark, else by the zeros of Latin letters, else big-endian (RFC 2781, section 4.3). */
function byteOrderOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  let zeros = 0
  for (let i = 0; i + 1 < bytes.length && i < maxSampledBytes; i += 2) zeros += Number(bytes[i] === 0) - Number(bytes[i + 1] === 0)
  return zeros < 0 ? 'utf-16le' : 'utf-16be'
}

/** Maximum bytes of a text that are searched for its byte order. */
const maxSampledBytes = 1024

function decoderOf(encoding: string): TextDecoder {
  let decoder = decoders.get(encoding)
  if (!decoder) decoders.set(encoding, decoder = new TextDecoder(encoding))
  return decoder
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
