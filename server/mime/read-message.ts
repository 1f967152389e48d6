import { mediaType, readAttachment } from './attachment.ts'
import { decodeText, isKnownCharset } from './charset.ts'
import { cleanText, cutText } from './clean-text.ts'
import { decodeWords } from './encoded-words.ts'
import { unwrapFlowed } from './flowed.ts'
import { headerMap, readHeaderBlock } from './header-block.ts'
import type { HeaderBlock } from './header-block.ts'
import { parseHeaderValue } from './header-value.ts'
import type { HeaderValue } from './header-value.ts'
import { LIMITS } from './limits.ts'
import { linksOf } from './links.ts'
import { findCodes } from './otp.ts'
import { emptyMessage } from './parsed-message.ts'
import type { ParsedAttachment, ParsedMessage } from './parsed-message.ts'
import { readParts } from './parts.ts'
import type { Part } from './parts.ts'
import { scanHtml } from './scan-html.ts'
import { readSender } from './sender.ts'
import { decodeTransfer } from './transfer-encoding.ts'

/** Reads a whole message. Takes time linear in its size and throws only on a fault of ours. */
export function readMessage(raw: Buffer): ParsedMessage {
  const { header, parts, isCut, isBroken } = readParts(raw)
  const { message, problems } = readHeader(header)
  if (isBroken) problems.push('The parts of this mail cannot be told apart.')
  if (isCut) problems.push(`Only the first ${LIMITS.parts} parts of this mail were read.`)

  const bodies = readBodies(parts, isBroken)
  const { attachments } = bodies
  if (bodies.leftOut > 0) {
    problems.push(`Only the first ${LIMITS.attachments} attachments of this mail were kept.`)
  }

  const bodyHtml = cleanText(bodies.html.join('<br>\n'))
  const writtenText = cleanText(bodies.text.join('\n'))
  const page = bodyHtml ? scanHtml(bodyHtml) : null
  const bodyText = writtenText.trim() || !page ? writtenText : page.text
  return {
    ...message, bodyText, bodyHtml, attachments,
    codes: codesOf(message.subject, writtenText, page?.text ?? ''),
    links: linksOf(page, bodyText),
    problem: problems.join(' ') || null,
  }
}

/** Reads the first 64 kB of a message's header and nothing else. */
export function readHeadersOnly(raw: Buffer, problem: string | null): ParsedMessage {
  const start = raw.subarray(0, LIMITS.headersOnly)
  const end = /\r?\n\r?\n/.exec(start.toString('latin1'))
  const { message, problems } = readHeader(readHeaderBlock(end ? start.subarray(0, end.index + 1) : start))
  return { ...message, problem: [problem, ...problems].filter(Boolean).join(' ') || null }
}

function readHeader(header: HeaderBlock): { message: ParsedMessage; problems: string[] } {
  const { headers, isCut } = headerMap(header)
  const subject = cleanText(decodeWords(header.first.get('subject') ?? '')).replace(/[\r\n\t]+/g, ' ').trim()
  const sender = readSender(header.first.get('from') ?? '')
  const message = { ...emptyMessage(''), ...sender, subject, headers, problem: null }
  return { message, problems: isCut ? ['The header of this mail is too long to be kept in full.'] : [] }
}

interface Bodies { text: string[]; html: string[]; attachments: ParsedAttachment[]; leftOut: number }

function readBodies(parts: Part[], isBroken: boolean): Bodies {
  const bodies: Bodies = { text: [], html: [], attachments: [], leftOut: 0 }
  for (const part of parts) {
    const disposition = parseHeaderValue(part.header.first.get('content-disposition') ?? '')
    const encoding = parseHeaderValue(part.header.first.get('content-transfer-encoding') ?? '')
      .value.toLowerCase()
    const type = isBroken ? 'text/plain' : mediaType(part.type.value, disposition.value)
    if (isBroken || isBody(part, type, disposition, bodies)) {
      const text = readText(part, type, encoding)
      if (text) bodies[type === 'text/html' ? 'html' : 'text'].push(text)
    } else if (bodies.attachments.length < LIMITS.attachments) {
      bodies.attachments.push(readAttachment(part, disposition, encoding, bodies.attachments.length + 1))
    } else {
      bodies.leftOut++
    }
  }
  return bodies
}

/** Text is to be read, unless the sender calls it a file; a named text behind the first is a file too. */
function isBody(part: Part, type: string, disposition: HeaderValue, bodies: Bodies): boolean {
  if (type !== 'text/plain' && type !== 'text/html') return false
  const kind = disposition.value.toLowerCase()
  if (kind && kind !== 'inline') return false
  const isNamed = disposition.parameters.has('filename') || part.type.parameters.has('name')
  const isFirst = bodies.text.length === 0 && bodies.html.length === 0
  return !isNamed || part.isRoot || part.isInAlternative || isFirst
}

function readText(part: Part, type: string, encoding: string): string {
  const bytes = decodeTransfer(part.body, encoding)
  let charset = part.type.parameters.get('charset') ?? ''
  if (type === 'text/html' && !isKnownCharset(charset)) charset = metaCharset(bytes) || charset
  const text = decodeText(bytes, charset).replaceAll('\r\n', '\n')
  const { parameters } = part.type
  const isFlowed = type === 'text/plain' && parameters.get('format')?.toLowerCase() === 'flowed'
  if (!isFlowed || text.length > LIMITS.textScanned) return text
  return unwrapFlowed(text, parameters.get('delsp')?.toLowerCase() === 'yes')
}

function metaCharset(html: Buffer): string {
  const head = html.toString('latin1', 0, 1024)
  return /<meta[^>]{0,200}charset\s{0,5}=\s{0,5}["']?([\w-]{1,40})/i.exec(head)?.[1] ?? ''
}

/** The text part of many mails says less than the page: codes that only stand there come behind. */
function codesOf(subject: string, text: string, pageText: string): string[] {
  const codes = findCodes(subject, cutText(text, LIMITS.textScanned))
  return codes.length > 0 || !pageText ? codes : findCodes(subject, pageText)
}
