import addressparser from 'nodemailer/lib/addressparser'
import { maxAddressLength } from '../../mailbox.ts'
import { cleanText, withoutNuls } from '../clean-text.ts'
import { mimeLimits } from '../limits.ts'
import type { ParsedAttachment, ParsedHeader } from '../parsed-message.ts'
import { mediaType, readAttachment } from './attachment.ts'
import { endOfBase64, mayBeBase64 } from './base64.ts'
import { decodeText } from './charset.ts'
import { isDeliveryReport, readDeliveryReport } from './delivery-report.ts'
import type { DeliveryReport } from './delivery-report.ts'
import { decodeWords } from './encoded-words.ts'
import { headerMap } from './header-block.ts'
import type { HeaderBlock } from './header-block.ts'
import { parseHeaderValue } from './header-value.ts'
import type { HeaderValue } from './header-value.ts'
import { decodeHtml, htmlRangeOf } from './html-range.ts'
import type { HtmlRange } from './html-range.ts'
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
  const types = new Set(parts.map(({ type }) => mediaType(type.value, true)))
  const hasPlainText = types.has('text/plain')
  const hasBody = hasPlainText || types.has('text/html')
  for (const part of parts) {
    const disposition = parseHeaderValue(part.header.first.get('content-disposition') ?? '')
    const declaredEncoding = parseHeaderValue(part.header.first.get('content-transfer-encoding') ?? '')
      .value.replaceAll('"', '').toLowerCase().replace('base-64', 'base64')
    const type = isBroken ? 'text/plain' : typeOf(part, disposition)
    if (hasBody && part.isInAlternative && dialectOfHtml.test(type) && !isFile(part, disposition)) continue
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

/** A dialect of HTML is read as HTML where it is the only part. */
function typeOf(part: MimePart, disposition: HeaderValue): string {
  const type = mediaType(part.type.value, isFile(part, disposition))
  return part.isRoot && dialectOfHtml.test(type) ? 'text/html' : type
}

/**
 * Whether a part is a body: text without an attachment disposition, and without a file name when it follows another body. Text of another
 * type than plain and HTML is one where no plain text is (RFC 2046, section 4.1.4), unless it is known as data, or has a file name and is
 * not the only part.
 */
function isBody(part: MimePart, type: string, disposition: HeaderValue, bodies: Bodies, hasPlainText: boolean): boolean {
  if (!isInline(disposition)) return false
  const isFirst = bodies.text.length === 0 && bodies.html.length === 0
  const hasPlace = part.isRoot || part.isInAlternative || isFirst
  if (type === 'text/plain' || type === 'text/html') return hasPlace || !isNamed(part, disposition)
  return type.startsWith('text/') && !hasPlainText && hasPlace && (part.isRoot || !isNamed(part, disposition)) && !dataAsText.test(type)
}

const dataAsText = /^text\/(?:calendar|(?:x-)?vcard|directory|csv|tab-separated-values|rtf|css|(?:x-)?(?:java|ecma)script|rfc822-headers|.+html)$/

/** Of an alternative to the bodies, for a few clients alone, such as AMP. */
const dialectOfHtml = /^text\/.+html$/

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

/** Joins the soft-wrapped lines of format=flowed text (RFC 3676, section 4.2). */
export function unwrapFlowed(text: string, deletesSpace: boolean): string {
  const lines: string[] = []
  let isOpen = false
  let depth = 0
  let paragraph: string[] = []
  for (const source of text.split('\n')) {
    const quotes = /^>*/.exec(source)![0].length
    const line = source.slice(quotes).replace(/^ /, '')
    if (!isOpen || quotes !== depth) {
      if (paragraph.length > 0) lines.push(paragraph.join(''))
      // keeps the quote marks as they are, with or without a space after them
      paragraph = [quotes > 0 ? source.slice(0, source.length - line.length) : '']
    }
    isOpen = line.endsWith(' ') && line !== '-- '
    depth = quotes
    paragraph.push(isOpen && deletesSpace ? line.slice(0, -1) : line)
  }
  lines.push(paragraph.join(''))
  return lines.join('\n')
}

/**
 * Reads the first mailbox with an address in the From fields, also of a group's members. Encoded words are decoded in the name only: an
 * address inside of one is not accepted (RFC 2047, section 5).
 */
export function readFrom(...values: string[]): Sender {
  let first: Sender | undefined
  for (const value of values.slice(0, maxFields)) {
    for (const mailbox of addressparser(withPairs(value.slice(0, maxFromChars)), { flatten: true })) {
      const sender = readMailbox(mailbox)
      if (sender.from) return sender
      first ??= sender
    }
  }
  return first ?? { from: '', fromName: '' }
}

type Sender = Pick<ParsedHeader, 'from' | 'fromName'>

/** Reads the mailboxes of a field such as To, those of groups included. @param value may join several fields by "\n" */
export const readMailboxes = (value: string): Sender[] =>
  addressparser(withPairs(value.slice(0, maxListChars).replaceAll('\n', ', ')), { flatten: true }).map(readMailbox)
    .filter(({ from, fromName }) => from || fromName)

/** Name and address may be in the place of the other: `<Jane Doe>jane@example.org`. */
function readMailbox({ address = '', name = '' }: { address?: string, name?: string }): Sender {
  const inBrackets = plainAddress(address)
  const from = inBrackets || plainAddress(name)
  const fromName = cleanText(decodeWords(inBrackets || !from ? name : address)).replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return { from, fromName }
}

/** @returns '' when it is no address */
function plainAddress(text: string): string {
  const address = text.replace(/^mailto:([^?]*).*$/is, '$1').replace(/^\[(.*)\]$/s, '$1').replace(/^<+|>+$/g, '')
  return isAddress(address) ? address : ''
}

/** In pairs: quotes, and the angle brackets around an address, also in place of those of `[mailto:jane@example.org]`. */
function withPairs(value: string): string {
  let isOpen = false
  return withPairedQuotes(value).replace(bracketsOrText, (found, url?: string) => {
    if (url !== undefined) return `<${url}>`
    if (found[0] !== '<' && found !== '>') return found
    const wasOpen = isOpen
    isOpen = found !== '>'
    return isOpen ? '<' : wasOpen ? '>' : ''
  })
}

/** Brackets; and texts in which brackets mean nothing: escaped characters, quoted strings and comments. */
const bracketsOrText = /\\.|"(?:[^"\\]|\\.)*"|\([^()]*\)|\[(mailto:[^\][<>"\s]*)\]|<(?:\s*<)*|>/gis

/** Without its quotes when one of them is missing: they would enclose the address. */
const withPairedQuotes = (value: string) => (value.match(/\\.|"/gs) ?? []).filter((mark) => mark === '"').length % 2 === 0 ? value : value.replaceAll('"', '')

const maxFields = 5
const maxFromChars = 8 * 1024
const maxListChars = 4 * 1024

/** A quoted local part may contain spaces. */
const quotedLocalPart = /^"(?:[^"\\]|\\.)*"(?=@)/s

function isAddress(address: string): boolean {
  return address.length <= maxAddressLength && /^.+@[^@]+$/s.test(address)
    && !address.includes('=?') && !/[\p{Cc}\p{Cs}]/u.test(address) && !/\s/.test(address.replace(quotedLocalPart, ''))
}

/**
 * Reads text/enriched (RFC 1896): without its commands and their parameters, a line break is a space, and of several one is omitted.
 * @param isEnriched false for text/richtext (RFC 1341, section 7.1.3), in which commands stand for all line breaks and for "<"
 */
function textOfEnriched(source: string, isEnriched: boolean): string {
  const text: string[] = []
  let depthWithoutFill = 0
  let depthHidden = 0
  for (const token of source.match(isEnriched ? enrichedToken : richTextToken) ?? []) {
    const command = /^<(\/?)([a-z0-9-]{1,60})>$/i.exec(token)
    const name = command?.[2]!.toLowerCase()
    const step = command?.[1] ? -1 : 1
    if (name === 'nofill') depthWithoutFill = Math.max(0, depthWithoutFill + step)
    else if (name === 'param' || name === 'comment') depthHidden = Math.max(0, depthHidden + step)
    else if (depthHidden > 0) continue
    else if (command) text.push((!isEnriched && !command[1] && richTextCommands.get(name!)) || '')
    else if (isEnriched && token === '<<') text.push('<')
    else if (token[0] !== '\n' || (isEnriched && depthWithoutFill > 0)) text.push(token)
    else text.push(token.length === 1 || !isEnriched ? ' ' : token.slice(1))
  }
  return text.join('')
}

const enrichedToken = /<<|<\/?[a-z0-9-]{1,60}>|\n+|[^<\n]+|</gi
const richTextToken = /<\/?[a-z0-9-]{1,60}>|\n+|[^<\n]+|</gi
const richTextCommands = new Map([['nl', '\n'], ['np', '\n'], ['paragraph', '\n'], ['lt', '<']])
