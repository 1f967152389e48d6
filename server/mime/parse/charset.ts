import { isAscii, isUtf8 } from 'node:buffer'
import { tableOf } from '../table-of.ts'
import { guessEncoding, isCertainlyHz, isCertainlyUtf8 } from './charset-evidence.ts'
import { decodeCodePage, decodeShifted, decodeUhc, isCodePage } from './further-charsets.ts'

/**
 * Decodes bytes by the name of a charset: one of those of the WHATWG Encoding Standard, or one of `further-charsets.ts`. Bytes that
 * contradict their charset are decoded by the charset that they are certainly in. Without a known charset it is that one, else UTF-8 where
 * valid, else windows-1252.
 */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const encoding = markedEncoding(buffer) ?? narrow(buffer, encodingOf(charset))
  if (encoding.startsWith('utf-16')) return decodeAs(buffer, encoding)
  if (isAscii(buffer)) return decodeSevenBits(buffer.toString('latin1'), encoding)
  const isDeclared = encoding !== 'utf-8' && encoding !== 'unknown' && encoding !== 'utf-7' // which has 7 bits
  if (isUtf8(buffer)) {
    const text = buffer.toString('utf8')
    if (!isDeclared || isCertainlyUtf8(text, encoding)) return withoutByteOrderMark(text)
    const declared = decodeAs(buffer, encoding)
    return declared.includes(replacement) ? text : declared
  }
  const text = decodeAs(buffer, isDeclared ? encoding : 'utf-8')
  const isWestern = encoding === 'windows-1252' || encoding === 'iso-8859-15'
  if (!isWestern && isMostlyRead(text)) return text
  const guess = guessEncoding(buffer, isWestern)
  return guess ? decodeAs(buffer, guess) : isDeclared ? text : decodeAs(buffer, 'windows-1252')
}

/**
 * Decodes bytes without a declared charset, such as raw 8-bit characters in a header.
 * @param fallback returns the charset that counts where the bytes are not UTF-8, such as that of the body; '' for none
 */
export function decodeUndeclared(bytes: Buffer, fallback = () => ''): string {
  const charset = isUtf8(bytes) ? '' : fallback()
  const text = decodeText(bytes, charset)
  return charset && text.includes(replacement) ? decodeText(bytes, '') : text
}

const replacement = '\ufffd'

/** Whether more of the characters beyond ASCII were read than not. A text that is damaged in some places keeps its charset. */
function isMostlyRead(text: string): boolean {
  if (!text.includes(replacement)) return true
  let read = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 0x7f) read += unit === 0xfffd ? -1 : 1
  }
  return read > 0
}

/** Decodes bytes of ASCII, whose escapes may switch to another charset. Those of Japanese and Korean mail are in no other text. */
function decodeSevenBits(text: string, encoding: string): string {
  if (shiftedEncodings.has(encoding)) return decodeShifted(text, encoding)
  if (text.includes('~{') && isCertainlyHz(text)) return decodeShifted(text, 'hz-gb-2312')
  if (!text.includes('\x1b')) return text
  if (text.includes('\x1b$)C') && text.includes('\x0e')) return decodeShifted(text, 'iso-2022-kr')
  return encoding === 'iso-2022-jp' || /\x1b\$[@B]/.test(text) ? decodeAs(Buffer.from(text, 'latin1'), 'iso-2022-jp') : text
}

function decodeAs(buffer: Buffer, encoding: string): string {
  if (encoding === 'utf-8') return withoutByteOrderMark(buffer.toString('utf8'))
  if (encoding === 'euc-kr') return decodeUhc(buffer)
  if (encoding === 'iso-2022-jp') return decoderOf(encoding).decode(withoutRedundantEscapes(buffer))
  if (shiftedEncodings.has(encoding)) return decodeShifted(buffer.toString('latin1'), encoding)
  if (isCodePage(encoding)) return decodeCodePage(buffer, encoding)
  return decoderOf(encoding === 'utf-16' ? byteOrderOf(buffer) : encoding).decode(buffer)
}

/** The encoding that a byte order mark of UTF-16 names, which wins over a declared charset. */
const markedEncoding = (bytes: Buffer) =>
  bytes[0] === 0xff && bytes[1] === 0xfe || bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16' : undefined

/** Text of 8 bits may be declared as UTF-16 by mistake: it has no zeros, and CR LF or valid UTF-8. */
const narrow = (bytes: Buffer, encoding: string) =>
  encoding.startsWith('utf-16') && !bytes.includes(0) && isUtf8(bytes) && (!isAscii(bytes) || bytes.includes('\r\n')) ? 'utf-8' : encoding

/** Encodings that `decodeShifted` reads. */
const shiftedEncodings = new Set(['hz-gb-2312', 'iso-2022-kr', 'iso-2022-cn', 'utf-7'])

export function isKnownCharset(charset: string): boolean {
  return encodingOf(charset) !== 'unknown'
}

/** Names in use in mail that the standard's table of labels lacks. */
const aliases: Record<string, string> = tableOf({
  'ms949': 'euc-kr', 'uhc': 'euc-kr', 'euckr': 'euc-kr', 'ks_c_5601': 'euc-kr', 'cp51949': 'euc-kr',
  'eucjp': 'euc-jp', 'eucjp-ms': 'euc-jp', 'cp51932': 'euc-jp', 'sjis-win': 'shift_jis', 'cp943': 'shift_jis',
  'iso-2022-jp-1': 'iso-2022-jp', 'iso-2022-jp-2': 'iso-2022-jp', 'iso-2022-jp-3': 'iso-2022-jp', 'iso-2022-jp-ms': 'iso-2022-jp',
  'cp50220': 'iso-2022-jp', 'cp50221': 'iso-2022-jp', 'cp50222': 'iso-2022-jp', 'cp50225': 'iso-2022-kr', 'csiso2022kr': 'iso-2022-kr',
  'iso-2022-cn-ext': 'iso-2022-cn', 'hz': 'hz-gb-2312', 'cp52936': 'hz-gb-2312', 'gb-18030': 'gb18030', 'cp54936': 'gb18030',
  'euc-cn': 'gbk', 'euccn': 'gbk', 'gb_2312': 'gbk', 'big5hkscs': 'big5-hkscs', 'big-5': 'big5', 'koi8r': 'koi8-r', 'koi8u': 'koi8-u',
  'cp20866': 'koi8-r', 'tis620': 'windows-874', 'latin-1': 'latin1',
  'utf-8-mac': 'utf-8', 'utf8mb4': 'utf-8', 'utf-8-sig': 'utf-8', 'cp65001': 'utf-8', 'mac': 'macintosh',
})

/** The encodings of code pages of Windows and DOS, by number, that the standard has by other names. */
const encodingOfCodePage: Record<string, string> = tableOf({
  866: 'ibm866', 874: 'windows-874', 932: 'shift_jis', 936: 'gbk', 949: 'euc-kr', 950: 'big5',
})

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
  const [, number = ''] = /^(?:cp|ibm|oem|dos|pc|win|windows|ms|csibm|cspc\w*?)?[-_]?0*(\d{3})\D*$/.exec(label) ?? []
  const page = isCodePage(`cp${number}`) ? `cp${number}` : encodingOfCodePage[number]
  if (page) return page
  const name = aliases[label] ?? label.replace(/^(?:win|windows|cp|ms)-?(?=125\d$)/, 'windows-').replace(/^iso[-_]?8859[-_]?(?=\d)/, 'iso-8859-')
  if (shiftedEncodings.has(name)) return name
  if (/^(?:x-)?(?:cs)?(?:unicode-\d-\d-)?utf-?7$/.test(name)) return 'utf-7'
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
