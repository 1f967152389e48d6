import { mediaType, readAttachment } from './attachment.ts'
import { decodeText, isKnownCharset } from './charset.ts'
import { cleanText } from '../clean-text.ts'
import { decodeWords } from './encoded-words.ts'
import { unwrapFlowed } from './flowed.ts'
import { headerMap } from './header-block.ts'
import type { HeaderBlock } from './header-block.ts'
import { parseHeaderValue } from './header-value.ts'
import type { HeaderValue } from './header-value.ts'
import { LIMITS } from '../limits.ts'
import type { ParsedAttachment, ParsedHeader } from '../parsed-message.ts'
import { readParts } from './parts.ts'
import type { Part } from './parts.ts'
import { readSender } from './sender.ts'
import { decodeTransfer } from './transfer-encoding.ts'

/** The header of a mail, its bodies as they were written, and its attachments. */
export interface Content extends ParsedHeader {
  text: string
  html: string
  attachments: ParsedAttachment[]
}

/** Reads a message, in time linear in its size. An error that it throws is a bug. */
export function readContent(raw: Buffer): Content {
  const { header, parts, isCut, isBroken } = readParts(raw)
  const { text, html, attachments, leftOut } = readBodies(parts, isBroken)
  const { problem, ...read } = readHeader(header)
  const problems = [
    problem,
    isBroken && 'The parts of this mail cannot be told apart.',
    isCut && `Only the first ${LIMITS.parts} parts of this mail were read.`,
    leftOut > 0 && `Only the first ${LIMITS.attachments} attachments of this mail were kept.`,
  ]
  return {
    ...read, attachments,
    text: cleanText(text.join('\n')),
    html: cleanText(html.join('<br>\n')),
    problem: problems.filter(Boolean).join(' ') || null,
  }
}

export function readHeader(header: HeaderBlock): ParsedHeader {
  const { headers, isCut } = headerMap(header)
  return {
    ...readSender(header.first.get('from') ?? ''),
    subject: cleanText(decodeWords(header.first.get('subject') ?? '')).replace(/[\r\n\t]+/g, ' ').trim(),
    headers,
    problem: isCut ? 'The header of this mail is too long to be kept in full.' : null,
  }
}

interface Bodies { text: string[]; html: string[]; attachments: ParsedAttachment[]; leftOut: number }

function readBodies(parts: Part[], isBroken: boolean): Bodies {
  const bodies: Bodies = { text: [], html: [], attachments: [], leftOut: 0 }
  for (const part of parts) {
    const disposition = parseHeaderValue(part.header.first.get('content-disposition') ?? '')
    const encoding = parseHeaderValue(part.header.first.get('content-transfer-encoding') ?? '')
      .value.toLowerCase()
    const type = isBroken ? 'text/plain' : mediaType(part.type.value, isFile(part, disposition))
    if (isBroken || isBody(part, type, disposition, bodies)) {
      const text = readText(part, type, encoding)
      if (text) bodies[type === 'text/html' ? 'html' : 'text'].push(text)
    } else if (bodies.attachments.length < LIMITS.attachments) {
      bodies.attachments.push(readAttachment(part, type, disposition, encoding, bodies.attachments.length + 1))
    } else {
      bodies.leftOut++
    }
  }
  return bodies
}

/** Whether a part is text to be read: not if its disposition is a file, nor if it is named and follows another body. */
function isBody(part: Part, type: string, disposition: HeaderValue, bodies: Bodies): boolean {
  if (type !== 'text/plain' && type !== 'text/html') return false
  if (!isInline(disposition)) return false
  const isFirst = bodies.text.length === 0 && bodies.html.length === 0
  return !isNamed(part, disposition) || part.isRoot || part.isInAlternative || isFirst
}

const isFile = (part: Part, disposition: HeaderValue) => !isInline(disposition) || isNamed(part, disposition)
const isInline = ({ value }: HeaderValue) => value === '' || value.toLowerCase() === 'inline'
const isNamed = (part: Part, disposition: HeaderValue) => disposition.parameters.has('filename') || part.type.parameters.has('name')

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
