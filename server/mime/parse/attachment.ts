import { cleanText, cutText } from '../clean-text.ts'
import { decodeWords } from './encoded-words.ts'
import { endOfHeader } from './parts.ts'
import type { Part } from './parts.ts'
import { readHeaderBlock } from './header-block.ts'
import type { HeaderValue } from './header-value.ts'
import type { ParsedAttachment } from '../parsed-message.ts'
import { decodeTransfer } from './transfer-encoding.ts'

/** An attachment of a part. Its content has memory of its own, so that it can change threads alone. */
export function readAttachment(
  part: Part, contentType: string, disposition: HeaderValue, encoding: string, number: number,
): ParsedAttachment {
  const content = ownCopy(decodeTransfer(part.body, encoding), part.body)
  const contentId = readContentId(part.header.first.get('content-id'))
  const given = disposition.parameters.get('filename') ?? part.type.parameters.get('name')
    ?? (contentType === 'message/rfc822' ? nameOfMessage(content) : '')
  return {
    filename: safeFilename(given) || `attachment-${number}.${extensionOf(contentType)}`,
    contentType,
    size: content.length,
    contentId,
    isInline: disposition.value.toLowerCase() === 'inline'
      || (!disposition.value && contentId !== null && part.isInRelated),
    content,
  }
}

/**
 * The media type in lower case. A missing or malformed one is `text/plain` (RFC 2045, section 5.2), for a file
 * `application/octet-stream`.
 */
export function mediaType(value: string, isFile: boolean): string {
  const type = MEDIA_TYPE.exec(value)?.[0].toLowerCase()
  return type && type.length <= 127 ? type : isFile ? 'application/octet-stream' : 'text/plain'
}

/** Text after the type is ignored: some senders omit the semicolon before a parameter. */
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?=[\s,]|$)/i

/**
 * A name that is safe as that of a file: the last step of a path, no control or direction characters,
 * at most 255 bytes with its extension kept; '' when nothing is left.
 */
export function safeFilename(given: string): string {
  const name = cleanText(given)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    // Characters that turn the direction of text make "exe.jpg" out of "gpj.exe".
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/^.*[/\\]/s, '')
    .replace(/ {2,}/g, ' ')
    .trim()
  return /^\.*$/.test(name) ? '' : cutName(name)
}

const MAX_NAME_BYTES = 255

function cutName(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : ''
  const room = MAX_NAME_BYTES - Buffer.byteLength(extension)
  let stem = cutText(name.slice(0, name.length - extension.length), room)
  while (Buffer.byteLength(stem) > room) stem = cutText(stem, stem.length - 1)
  return stem.trimEnd() + extension
}

function nameOfMessage(content: Uint8Array): string {
  const message = Buffer.from(content.buffer, content.byteOffset, Math.min(content.length, 64 * 1024))
  const subject = readHeaderBlock(message.subarray(0, endOfHeader(message, 0))).first.get('subject') ?? ''
  const title = decodeWords(subject).replace(/[/\\:]+/g, ' ').trim()
  return title ? `${cutText(title, 80)}.eml` : ''
}

function readContentId(value: string | undefined): string | null {
  const id = cleanText(value ?? '').trim().replace(/^</, '').replace(/>$/, '').trim()
  return id ? cutText(id, 998) : null
}

function ownCopy(bytes: Buffer, source: Buffer): Uint8Array {
  const isOwn = bytes.buffer !== source.buffer && bytes.length === bytes.buffer.byteLength
  return isOwn ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes)
}

const EXTENSIONS: Record<string, string> = {
  'text/plain': 'txt', 'text/html': 'html', 'text/calendar': 'ics', 'text/csv': 'csv', 'text/vcard': 'vcf',
  'text/x-vcard': 'vcf', 'text/xml': 'xml', 'text/rtf': 'rtf', 'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/json': 'json', 'application/xml': 'xml', 'application/msword': 'doc', 'application/gzip': 'gz',
  'application/ics': 'ics', 'application/rtf': 'rtf', 'application/pgp-signature': 'asc',
  'application/pkcs7-signature': 'p7s', 'application/x-pkcs7-signature': 'p7s',
  'application/pkcs7-mime': 'p7m',
  'application/vnd.ms-excel': 'xls', 'application/ms-tnef': 'dat', 'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'image/jpeg': 'jpg', 'image/jpg': 'jpg', 'image/png': 'png', 'image/gif': 'gif', 'image/webp': 'webp',
  'image/svg+xml': 'svg', 'image/bmp': 'bmp', 'image/tiff': 'tif', 'image/heic': 'heic', 'image/avif': 'avif',
  'audio/mpeg': 'mp3', 'audio/wav': 'wav', 'audio/ogg': 'ogg', 'video/mp4': 'mp4', 'video/quicktime': 'mov',
  'message/rfc822': 'eml', 'message/delivery-status': 'txt', 'text/rfc822-headers': 'txt',
}

function extensionOf(contentType: string): string {
  return EXTENSIONS[contentType] ?? 'bin'
}
