import { decodeUndeclared } from './charset.ts'
import { readHeaderBlock } from './header-block.ts'
import type { HeaderBlock } from './header-block.ts'
import { parseHeaderValue } from './header-value.ts'
import type { HeaderValue } from './header-value.ts'
import { LIMITS } from '../limits.ts'

/** A part of a mail that holds no other parts, or an attached message. */
export interface Part {
  header: HeaderBlock
  type: HeaderValue
  /** As written, still encoded. Shares memory with the message. */
  body: Buffer
  isRoot: boolean
  isInAlternative: boolean
  isInRelated: boolean
}

export interface Parts {
  header: HeaderBlock
  parts: Part[]
  /** There are more parts than are read at most. */
  isCut: boolean
  /** A multipart mail without any part. */
  isBroken: boolean
}

/**
 * Tells the parts of a message apart in one pass over its lines, however deep they are nested.
 * Each line that looks like a delimiter costs one look into a map of the boundaries that are open.
 */
export function readParts(raw: Buffer): Parts {
  const bodyStart = endOfHeader(raw, 0)
  const header = readHeaderBlock(raw.subarray(0, bodyStart))
  const root = open(header, 'text/plain', null)
  if (!root.boundary) {
    const part = leaf(root, raw.subarray(bodyStart))
    return { header, parts: [part], isCut: false, isBroken: root.isMultipart }
  }

  const parts: Part[] = []
  const frames = new Map<string, Frame>()
  let count = 0
  let isCut = false
  let current: Frame | null = root
  let top: Frame | null = push(frames, root, null)
  let start = bodyStart

  // The preamble may be empty: the first delimiter may stand where the body starts.
  for (let at = delimiterAt(raw, bodyStart, true); at >= 0; at = delimiterAt(raw, at, false)) {
    const line = delimiterLine(raw, at, frames)
    if (!line) continue
    if (current && !current.boundary) {
      parts.push(leaf(current, raw.subarray(start, beforeLineBreak(raw, start, at))))
    }
    current = null
    top = popTo(frames, top, line.frame)
    // Stay on the line break, for the next delimiter may follow at once.
    at = line.end - 1
    if (line.isClosing) {
      top = popTo(frames, top, line.frame.parent)
      continue
    }
    if (++count > LIMITS.parts) {
      isCut = true
      break
    }
    start = endOfHeader(raw, line.end, frames)
    current = open(readHeaderBlock(raw.subarray(line.end, start)), line.frame.childType, line.frame)
    if (current.boundary) top = push(frames, current, top)
    at = start - 1
  }
  if (current && !current.boundary) parts.push(leaf(current, raw.subarray(start)))
  if (count > 0) return { header, parts, isCut, isBroken: false }
  return { header, parts: [leaf(root, raw.subarray(bodyStart))], isCut, isBroken: true }
}

interface Frame {
  header: HeaderBlock
  type: HeaderValue
  isMultipart: boolean
  boundary: string
  childType: string
  parent: Frame | null
  /** The frame further out with the same boundary. */
  hidden: Frame | undefined
  isInAlternative: boolean
  isInRelated: boolean
}

const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d
/** Boundaries have 70 characters by the standard; longer ones are not looked for. */
const MAX_BOUNDARY = 256

function open(header: HeaderBlock, defaultType: string, parent: Frame | null): Frame {
  const type = parseHeaderValue(header.first.get('content-type') ?? defaultType)
  const mediaType = type.value.toLowerCase()
  const isMultipart = mediaType.startsWith('multipart/')
  const boundary = isMultipart ? (type.parameters.get('boundary') ?? '').trimEnd() : ''
  return {
    header, type, isMultipart, parent, hidden: undefined,
    boundary: boundary.length <= MAX_BOUNDARY ? boundary : '',
    childType: mediaType === 'multipart/digest' ? 'message/rfc822' : 'text/plain',
    isInAlternative: mediaType === 'multipart/alternative' || (parent?.isInAlternative ?? false),
    isInRelated: mediaType === 'multipart/related' || (parent?.isInRelated ?? false),
  }
}

function leaf(frame: Frame, body: Buffer): Part {
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

/** The index of the next "--" at the start of a line, -1 for none. */
function delimiterAt(raw: Buffer, from: number, atLineStart: boolean): number {
  if (atLineStart && raw[from] === DASH && raw[from + 1] === DASH) return from
  // not indexOf: with short lines, its calls take longer than a loop over the bytes
  for (let i = from; i < raw.length - 2; i++) {
    if (raw[i] === LF && raw[i + 1] === DASH && raw[i + 2] === DASH) return i + 1
  }
  return -1
}

interface DelimiterLine { frame: Frame; isClosing: boolean; end: number }

function delimiterLine(raw: Buffer, at: number, frames: Map<string, Frame>): DelimiterLine | null {
  const limit = Math.min(raw.length, at + MAX_BOUNDARY + 80)
  let end = at + 2
  while (end < limit && raw[end] !== LF) end++
  if (end === limit && limit < raw.length) return null
  const text = decodeUndeclared(raw.subarray(at + 2, end)).trimEnd()
  const next = Math.min(end + 1, raw.length)
  const opened = frames.get(text)
  if (opened) return { frame: opened, isClosing: false, end: next }
  const closed = text.endsWith('--') ? frames.get(text.slice(0, -2)) : undefined
  return closed ? { frame: closed, isClosing: true, end: next } : null
}

/** The index behind the blank line that ends a header, or of the delimiter that does so too early. */
export function endOfHeader(raw: Buffer, from: number, frames?: Map<string, Frame>): number {
  let at = from
  while (at < raw.length) {
    if (raw[at] === LF) return at + 1
    if (raw[at] === CR && raw[at + 1] === LF) return at + 2
    if (frames && raw[at] === DASH && raw[at + 1] === DASH && delimiterLine(raw, at, frames)) return at
    const end = raw.indexOf(LF, at)
    if (end < 0) return raw.length
    at = end + 1
  }
  return raw.length
}

/** The line break before a delimiter belongs to the delimiter. */
function beforeLineBreak(raw: Buffer, start: number, at: number): number {
  let end = at
  if (end > start && raw[end - 1] === LF) end--
  if (end > start && raw[end - 1] === CR) end--
  return end
}
