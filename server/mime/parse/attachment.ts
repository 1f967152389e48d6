import { cleanText, cutText } from '../clean-text.ts'
import type { ParsedAttachment } from '../parsed-message.ts'
import { tableOf } from '../table-of.ts'
import { decodeWords } from './encoded-words.ts'
import { declaredCharset, findHeader, readHeaderBlock } from './header-block.ts'
import type { HeaderValue } from './header-value.ts'
import { measurePart } from './html-range.ts'
import type { MimePart } from './parts.ts'
import { decodeTransfer } from './transfer-encoding.ts'

/** Reads a part of the source as an attachment. */
export function readAttachment(
  source: Buffer, part: MimePart, contentType: string, disposition: HeaderValue, encoding: string, number: number,
): ParsedAttachment {
  const contentId = readContentId(part.header.first.get('content-id'))
  const given = disposition.parameters.get('filename') ?? part.type.parameters.get('name')
    ?? (contentType === 'message/rfc822' ? filenameOfMessage(decodeTransfer(part.body, encoding)) : '')
  return {
    filename: safeFilename(given) || `attachment-${number}.${extensionOf(contentType)}`,
    contentType,
    contentId,
    isInline: disposition.value.toLowerCase() === 'inline'
      || (!disposition.value && contentId !== null && part.isInRelated),
    ...measurePart(source, part.body, encoding),
  }
}

/**
 * Returns the media type in lower case. A missing or malformed one becomes `text/plain` (RFC 2045, section 5.2), or
 * `application/octet-stream` for a file.
 */
export function mediaType(value: string, isFile: boolean): string {
  const type = mediaTypePattern.exec(value.replace(/^"/, ''))?.[0].toLowerCase()
  if (!isFile && typesOfText.has(type)) return typesOfText.get(type)!
  return type && type.length <= 127 ? type : isFile ? 'application/octet-stream' : 'text/plain'
}

/** Of types of bodies, those that they are read as: a page of XHTML, and wrong types that programs write. */
const typesOfText = new Map<string | undefined, string>([
  ['application/xhtml+xml', 'text/html'], ['html/text', 'text/html'], ['plain/text', 'text/plain'], ['application/text', 'text/plain'],
])

/** Text after the type is ignored: some senders omit the semicolon before a parameter. */
const mediaTypePattern = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?=[\s,"]|$)/i

/**
 * Makes a name safe as the name of a file: the last segment of a path, without control and bidi characters, cut to 255 bytes before its
 * extension; '' when nothing is left.
 */
export function safeFilename(given: string): string {
  const name = cleanText(given)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    // bidi controls would show "gpj.exe" as "exe.jpg"
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/^.*[/\\]/s, '')
    .replace(/ {2,}/g, ' ')
    .trim()
  return /^\.*$/.test(name) ? '' : cutName(name)
}

const maxNameBytes = 255

function cutName(name: string): string {
  if (Buffer.byteLength(name) <= maxNameBytes) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : ''
  const room = maxNameBytes - Buffer.byteLength(extension)
  let stem = cutText(name.slice(0, name.length - extension.length), room)
  while (Buffer.byteLength(stem) > room) stem = cutText(stem, stem.length - 1)
  return stem.trimEnd() + extension
}

function filenameOfMessage(content: Buffer): string {
  const message = content.subarray(0, 64 * 1024)
  const { start, end } = findHeader(message)
  const subject = readHeaderBlock(message.subarray(start, end), () => declaredCharset(message)).first.get('subject') ?? ''
  const title = decodeWords(subject).replace(/[/\\:]+/g, ' ').trim()
  return title ? `${cutText(title, 80)}.eml` : ''
}

function readContentId(value: string | undefined): string | null {
  const id = cleanText(value ?? '').replace(/\p{Cc}+/gu, '').trim().replace(/^</, '').replace(/>$/, '').trim()
  return id ? cutText(id, maxContentIdChars) : null
}

/** URLs of pages name it. */
const maxContentIdChars = 250

const extensions: Record<string, string> = tableOf({
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
})

function extensionOf(contentType: string): string {
  return extensions[contentType] ?? 'bin'
}
