import { cleanText, withoutNuls } from '../clean-text.ts'
import { mimeLimits } from '../limits.ts'
import type { ParsedAttachment, ParsedHeader } from '../parsed-message.ts'
import { mediaType, readAttachment } from './attachment.ts'
import { endOfBase64, mayBeBase64 } from './base64.ts'
import { decodeText } from './charset.ts'
import { isDeliveryReport, readDeliveryReport } from './delivery-report.ts'
import type { DeliveryReport } from './delivery-report.ts'
import { decodeWords } from './encoded-words.ts'
import { textOfEnriched } from './enriched.ts'
import { unwrapFlowed } from './flowed.ts'
import { readFrom } from './from-header.ts'
import { headerMap } from './header-block.ts'
import type { HeaderBlock } from './header-block.ts'
import { decodeHtml, htmlRangeOf } from './html-range.ts'
import type { HtmlRange } from './html-range.ts'
import { parseHeaderValue } from './header-value.ts'
import type { HeaderValue } from './header-value.ts'
import { readParts } from './parts.ts'
import type { MimePart } from './parts.ts'
import { decodeTransfer } from './transfer-encoding.ts'

/** The header of a mail, its bodies as the sender wrote them, and its attachments. */
export interface MailContent extends ParsedHeader {
  text: string
  html: string
  htmlRange: HtmlRange | null
  attachments: ParsedAttachment[]
  deliveryReport: DeliveryReport | null
}

/** Reads a mail, in time linear in its size. An error that it throws is a bug. */
export function readContent(raw: Buffer): MailContent {
  const { header, parts, isCut, isBroken } = readParts(raw)
  const { text, html, htmlRanges, attachments, deliveryReport = null, leftOut } = readBodies(raw, parts, isBroken)
  const { problem, ...read } = readHeader(header)
  const problems = [
    problem,
    isBroken && 'The parts of this mail cannot be told apart.',
    isCut && `Only the first ${mimeLimits.parts} parts of this mail were read.`,
    leftOut > 0 && `Only the first ${mimeLimits.attachments} attachments of this mail were kept.`,
  ]
  return {
    ...read, attachments, deliveryReport,
    text: withoutNuls(text.join('\n')),
    html: withoutNuls(html.join('<br>\n')),
    htmlRange: htmlRanges.length === 1 ? htmlRanges[0]! : null,
    problem: problems.filter(Boolean).join(' ') || null,
  }
}

export function readHeader(header: HeaderBlock): ParsedHeader {
  const { headers, isCut } = headerMap(header)
  return {
    ...readFrom(...header.fields.filter(({ name }) => name.toLowerCase() === 'from').map(({ value }) => value)),
    subject: cleanText(decodeWords(header.first.get('subject') ?? '')).replace(/[\r\n\t]+/g, ' ').trim(),
    headers,
    problem: isCut ? 'The header of this mail is too long to be kept in full.' : null,
  }
}

interface Bodies {
  text: string[]
  html: string[]
  /** Of each of `html`; null where it cannot be read by its range. */
  htmlRanges: (HtmlRange | null)[]
  attachments: ParsedAttachment[]
  /** Of the first part that has the type of a delivery report. */
  deliveryReport?: DeliveryReport | null
  leftOut: number
}

function readBodies(raw: Buffer, parts: MimePart[], isBroken: boolean): Bodies {
  const bodies: Bodies = { text: [], html: [], htmlRanges: [], attachments: [], leftOut: 0 }
  const hasPlainText = parts.some(({ type }) => mediaType(type.value, true) === 'text/plain')
  for (const part of parts) {
    const disposition = parseHeaderValue(part.header.first.get('content-disposition') ?? '')
    const declaredEncoding = parseHeaderValue(part.header.first.get('content-transfer-encoding') ?? '')
      .value.replaceAll('"', '').toLowerCase()
    const type = isBroken ? 'text/plain' : mediaType(part.type.value, isFile(part, disposition))
    const isText = isBroken || isBody(part, type, disposition, bodies, hasPlainText)
    const encoding = isText && declaredEncoding === 'base64' && !mayBeBase64(part.body) ? '' : declaredEncoding
    if (isText) {
      const end = encoding === 'base64' ? endOfBase64(part.body) : part.body.length
      const encoded = end < part.body.length ? { ...part, body: part.body.subarray(0, end) } : part
      const footer = type !== 'text/html' && encoded !== part ? readText({ ...part, body: part.body.subarray(end) }, type, '') : ''
      const text = readText(encoded, type, encoding) + footer
      if (!text) continue
      if (type === 'text/html') bodies.htmlRanges.push(htmlRangeOf(raw, encoded, encoding))
      bodies[type === 'text/html' ? 'html' : 'text'].push(text)
    } else if (bodies.attachments.length < mimeLimits.attachments) {
      bodies.attachments.push(readAttachment(raw, part, type, disposition, encoding, bodies.attachments.length + 1))
      if (isDeliveryReport(type) && bodies.deliveryReport === undefined) {
        bodies.deliveryReport = readDeliveryReport(decodeTransfer(part.body, encoding))
      }
    } else {
      bodies.leftOut++
    }
  }
  return bodies
}

/**
 * Whether a part is a body: text without an attachment disposition, and without a file name when it follows another body. Text of another
 * type than plain and HTML is one where no plain text is (RFC 2046, section 4.1.4), unless it is known as data.
 */
function isBody(part: MimePart, type: string, disposition: HeaderValue, bodies: Bodies, hasPlainText: boolean): boolean {
  if (!isInline(disposition)) return false
  const isFirst = bodies.text.length === 0 && bodies.html.length === 0
  const hasPlace = part.isRoot || part.isInAlternative || isFirst
  if (type === 'text/plain' || type === 'text/html') return hasPlace || !isNamed(part, disposition)
  return type.startsWith('text/') && !hasPlainText && hasPlace && !isNamed(part, disposition) && !dataAsText.test(type)
}

const dataAsText = /^text\/(?:calendar|(?:x-)?vcard|directory|csv|tab-separated-values|rtf|css|(?:x-)?(?:java|ecma)script|rfc822-headers|.+html)$/

const isFile = (part: MimePart, disposition: HeaderValue) => !isInline(disposition) || isNamed(part, disposition)
const isInline = ({ value }: HeaderValue) => value === '' || value.toLowerCase() === 'inline'
const isNamed = (part: MimePart, disposition: HeaderValue) => disposition.parameters.has('filename') || part.type.parameters.has('name')

function readText(part: MimePart, type: string, encoding: string): string {
  const bytes = decodeTransfer(part.body, encoding)
  const { parameters } = part.type
  const charset = parameters.get('charset') ?? ''
  if (type === 'text/html') return decodeHtml(bytes, charset)
  const text = decodeText(bytes, charset).replace(/\r\n/g, '\n')
  if (type === 'text/enriched' || type === 'text/richtext') return textOfEnriched(text, type === 'text/enriched')
  const isFlowed = parameters.get('format')?.toLowerCase() === 'flowed'
  if (!isFlowed || text.length > mimeLimits.scannedTextChars) return text
  return unwrapFlowed(text, parameters.get('delsp')?.toLowerCase() === 'yes')
}
