import { CR, LF } from '../../line-endings.ts'
import { mimeLimits } from '../limits.ts'
import { decodeUndeclared } from './charset.ts'
import { declaredCharset, endOfHeader, findHeader, readHeaderBlock } from './header-block.ts'
import type { HeaderBlock } from './header-block.ts'
import { parseHeaderValue } from './header-value.ts'
import type { HeaderValue } from './header-value.ts'

/** A part of a mail that has no parts itself, or is an attached message. */
export interface MimePart {
  header: HeaderBlock
  type: HeaderValue
  /** Still encoded; shares memory with the mail. */
  body: Buffer
  isRoot: boolean
  isInAlternative: boolean
  isInRelated: boolean
}

export interface MimeParts {
  header: HeaderBlock
  parts: MimePart[]
  /** Whether there are more parts than `mimeLimits.parts`. */
  isCut: boolean
  /** Whether it is a multipart mail without any part. */
  isBroken: boolean
}

/**
 * Splits a mail into its parts in one pass over its lines, however deep they are nested. Each line that looks like a delimiter costs one
 * look-up in a map of the open boundaries.
 */
export function readParts(raw: Buffer): MimeParts {
  const { start: headerStart, end: bodyStart } = findHeader(raw)
  let charset: string | undefined
  const bodyCharset = () => charset ??= declaredCharset(raw)
  const header = readHeaderBlock(raw.subarray(headerStart, bodyStart), bodyCharset)
  const root = open(header, beginsPage(raw.subarray(bodyStart)) ? 'text/html' : 'text/plain', null)
  if (!root.boundary) {
    const part = leaf(root, raw.subarray(bodyStart))
    return { header, parts: [part], isCut: false, isBroken: root.isMultipart }
  }

  const parts: MimePart[] = []
  const frames = new Map<string, Frame>()
  let count = 0
  let isCut = false
  let current: Frame | null = root
  let top: Frame | null = push(frames, root, null)
  let start = bodyStart

  const endsAt = (index: number) => raw[index + 1] === HYPHEN && delimiterLine(raw, index, frames, bodyCharset) !== null
  // the preamble may be empty, so the body may begin with the first delimiter
  for (let at = delimiterAt(raw, bodyStart, true); at >= 0; at = delimiterAt(raw, at, false)) {
    const line = delimiterLine(raw, at, frames, bodyCharset)
    if (!line) continue
    if (current && !current.boundary) {
      parts.push(leaf(current, raw.subarray(start, beforeLineBreak(raw, start, at))))
    }
    current = null
    top = popTo(frames, top, line.frame)
    at = line.end - 1 // on the line break: the next line may be a delimiter too
    if (line.isClosing) {
      top = popTo(frames, top, line.frame.parent)
      continue
    }
    if (++count > mimeLimits.parts) {
      isCut = true
      break
    }
    start = endOfHeader(raw, line.end, { endsAt })
    current = open(readHeaderBlock(raw.subarray(line.end, start), bodyCharset), line.frame.childType, line.frame)
    if (current.boundary) top = push(frames, current, top)
    at = start - 1
  }
  if (current && !current.boundary) parts.push(leaf(current, raw.subarray(start)))
  if (count > 0) return { header, parts, isCut, isBroken: false }
  return { header, parts: [leaf(root, raw.subarray(bodyStart))], isCut, isBroken: true }
}

/** Whether a body is a page, which programs send without a type of the mail. */
const beginsPage = (body: Buffer): boolean => /^\s*<(?:!doctype html|html[\s>])/i.test(body.subarray(0, 200).toString('latin1'))

/** A part that is open. */
interface Frame {
  header: HeaderBlock
  type: HeaderValue
  isMultipart: boolean
  boundary: string
  childType: string
  parent: Frame | null
  /** An outer frame with the same boundary. */
  hidden: Frame | undefined
  isInAlternative: boolean
  isInRelated: boolean
}

const HYPHEN = 0x2d
/** Longer boundaries are ignored; RFC 2046, section 5.1.1, allows 70 characters. */
const maxBoundaryChars = 256

function open(header: HeaderBlock, defaultType: string, parent: Frame | null): Frame {
  const type = parseHeaderValue(header.first.get('content-type') ?? defaultType)
  const mediaType = type.value.toLowerCase()
  const isMultipart = mediaType.startsWith('multipart/')
  const boundary = isMultipart ? (type.parameters.get('boundary') ?? '').trimEnd() : ''
  return {
    header, type, isMultipart, parent, hidden: undefined,
    boundary: boundary.length <= maxBoundaryChars ? boundary : '',
    childType: mediaType === 'multipart/digest' ? 'message/rfc822' : 'text/plain',
    isInAlternative: mediaType === 'multipart/alternative' || (parent?.isInAlternative ?? false),
    isInRelated: mediaType === 'multipart/related' || (parent?.isInRelated ?? false),
  }
}

function leaf(frame: Frame, body: Buffer): MimePart {
  const { header, type, isInAlternative, isInRelated } = frame
  return { header, type, body, isRoot: frame.parent === null, isInAlternative, isInRelated }
}

function push(frames: Map<string, Frame>, frame: Frame, top: Frame | null): Frame {
  frame.parent = top
  frame.hidden = frames.get(frame.boundary)
  frames.set(frame.boundary, frame)
  return frame
}

/** Closes the frames inside `target`; null closes all. */
function popTo(frames: Map<string, Frame>, top: Frame | null, target: Frame | null): Frame | null {
  let frame = top
  while (frame && frame !== target) {
    if (frame.hidden) frames.set(frame.boundary, frame.hidden)
    else frames.delete(frame.boundary)
    frame = frame.parent
  }
  return frame
}

/** Returns the index of the next "--" at the start of a line, -1 for none. */
function delimiterAt(raw: Buffer, from: number, atLineStart: boolean): number {
  if (atLineStart && raw[from] === HYPHEN && raw[from + 1] === HYPHEN) return from
  let i = from
  while (i < raw.length - 2) {
    // hyphens may follow one another closely: a loop finds these faster than a call of indexOf for each
    const end = Math.min(i + loopBytes, raw.length - 2)
    for (; i < end; i++) {
      if (raw[i] === LF && raw[i + 1] === HYPHEN && raw[i + 2] === HYPHEN) return i + 1
    }
    const at = raw.indexOf(hyphens, i + 1)
    if (at < 0) return -1
    i = at - 1
  }
  return -1
}

const hyphens = Buffer.from('--')
/** A loop over so many bytes takes as long as a call of indexOf. */
const loopBytes = 128

interface DelimiterLine { frame: Frame, isClosing: boolean, end: number }

function delimiterLine(raw: Buffer, at: number, frames: Map<string, Frame>, bodyCharset: () => string): DelimiterLine | null {
  const limit = Math.min(raw.length, at + maxBoundaryChars + 80)
  let end = at + 2
  while (end < limit && raw[end] !== LF) end++
  if (end === limit && limit < raw.length) return null
  const text = decodeUndeclared(raw.subarray(at + 2, end), bodyCharset).trimEnd()
  const next = Math.min(end + 1, raw.length)
  const opened = frames.get(text)
  if (opened) return { frame: opened, isClosing: false, end: next }
  const closed = text.endsWith('--') ? frames.get(text.slice(0, -2)) : undefined
  return closed ? { frame: closed, isClosing: true, end: next } : null
}

/** The line break before a delimiter belongs to the delimiter. */
function beforeLineBreak(raw: Buffer, start: number, at: number): number {
  let end = at
  if (end > start && raw[end - 1] === LF) end--
  if (end > start && raw[end - 1] === CR) end--
  return end
}
