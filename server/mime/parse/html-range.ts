import { cleanText } from '../clean-text.ts'
import { base64Size } from './base64.ts'
import { decodeText, isKnownCharset } from './charset.ts'
import type { MimePart } from './parts.ts'
import { decodeTransfer, transferEncoding } from './transfer-encoding.ts'
import type { TransferEncoding } from './transfer-encoding.ts'
import { findUuencoded } from './uuencode.ts'

/** Where an HTML body stands in the source of its mail. */
export interface HtmlRange extends PartRange {
  /** As declared; '' for none and for an unknown one. */
  charset: string
}

/** Maximum encoded bytes of a range, so that reading it holds a thread for a millisecond, and few when the content is hostile. */
const maxRangeBytes = 256 * 1024
const maxCharsetChars = 40

/** @returns null for a part that takes long to read, or is uuencoded */
export function htmlRangeOf(source: Buffer, { body, type }: MimePart, encoding: string): HtmlRange | null {
  const declared = type.parameters.get('charset') ?? ''
  const charset = isKnownCharset(declared) ? declared : ''
  const range = { offset: offsetIn(source, body), length: body.length, encoding: transferEncoding(encoding), charset }
  return range.length > maxRangeBytes || range.encoding === 'uuencode' || charset.length > maxCharsetChars ? null : range
}

/** Reads an HTML body. @param encoded the bytes of the range */
export function readHtml(encoded: Buffer, { encoding, charset }: Pick<HtmlRange, 'charset'> & { encoding: string }): string {
  return cleanText(decodeHtml(decodeTransfer(encoded, encoding), charset))
}

/** @param charset the declared one; without a known one, the page's own declaration counts */
export function decodeHtml(bytes: Buffer, charset: string): string {
  const used = isKnownCharset(charset) ? charset : metaCharset(bytes) || charset
  return decodeText(bytes, used).replace(/\r\n/g, '\n')
}

function metaCharset(html: Buffer): string {
  const head = html.toString('latin1', 0, 1024)
  const ofMeta = /<meta[^>]{0,200}charset\s{0,5}=\s{0,5}["']?([\w-]{1,40})/i.exec(head)?.[1]
  const charset = ofMeta ?? /^\s*<\?xml\s[^>]{0,200}encoding\s{0,5}=\s{0,5}["']([\w-]{1,40})/i.exec(head)?.[1] ?? ''
  return /^utf-?16|utf-?7$/i.test(charset) ? '' : charset // it was read as ASCII
}

/**
 * Where the encoded bytes of a part stand in the source of its mail (docs/decisions/0013). Of uuencode these are the lines between "begin"
 * and "end".
 */
export interface PartRange {
  /** Bytes before it. */
  offset: number
  /** In bytes. */
  length: number
  encoding: TransferEncoding
}

/**
 * @param body shares memory with `source`
 * @param name of the encoding, in lower case
 * @returns the range, and the number of bytes that it decodes to
 */
export function measurePart(source: Buffer, body: Buffer, name: string): { range: PartRange, size: number } {
  const encoding = transferEncoding(name)
  const offset = offsetIn(source, body)
  if (encoding === 'uuencode') {
    const lines = findUuencoded(body)
    return lines
      ? { range: { offset: offset + lines.start, length: lines.end - lines.start, encoding }, size: lines.size }
      : { range: { offset, length: body.length, encoding: 'identity' }, size: body.length }
  }
  const size = encoding === 'base64' ? base64Size(body) : decodeTransfer(body, name).length
  return { range: { offset, length: body.length, encoding }, size }
}

/** @param body shares memory with `source` */
const offsetIn = (source: Buffer, body: Buffer): number => body.byteOffset - source.byteOffset
