import { LF } from '../../line-endings.ts'

/**
 * Decodes a uuencoded body: the lines between "begin 644 name" and "end". A body without a "begin" line is returned as it is. Takes time
 * linear in the length of the body, and returns at most as many bytes.
 */
export function decodeUuencode(body: Buffer): Buffer {
  const found = findUuencoded(body)
  return found ? decodeUuencodedLines(body.subarray(found.start, found.end)).subarray(0, found.size) : body
}

/** The lines of data of a uuencoded body, and the number of bytes that they encode, at most the length of the body. */
export interface UuencodedLines { start: number, end: number, size: number }

/** @returns null without a "begin" line */
export function findUuencoded(body: Buffer): UuencodedLines | null {
  const start = endOfBegin(body)
  if (start < 0) return null
  let end = start
  let size = 0
  while (end < body.length && size < body.length && !isEnd(body, end)) {
    size += bytesOfLine(body[end]!)
    end = endOfLine(body, end)
  }
  return { start, end, size: Math.min(size, body.length) }
}

/** Decodes lines of data. */
export function decodeUuencodedLines(lines: Buffer): Buffer {
  let size = 0
  for (let at = 0; at < lines.length; at = endOfLine(lines, at)) size += bytesOfLine(lines[at]!)
  const out = Buffer.allocUnsafeSlow(size)
  let length = 0
  for (let at = 0; at < lines.length;) {
    const next = endOfLine(lines, at)
    length = decodeLine(lines, at, next, out, length)
    at = next
  }
  return out
}

/** Bytes at the beginning of a line that are decoded: the number of bytes, and four characters for each three of at most 63 bytes. */
export const maxUuencodedLineBytes = 1 + 63 / 3 * 4

const SPACE = 0x20
/** Encodes 0 like the space, which mail servers remove at the end of a line. */
const BACKTICK = 0x60
const endMark = Buffer.from('end')

/** Returns the index after the line "begin 644 name", -1 when there is none. */
function endOfBegin(body: Buffer): number {
  for (let at = body.indexOf('begin '); at >= 0; at = body.indexOf('begin ', at + 1)) {
    const isLine = (at === 0 || body[at - 1] === LF) && /^begin [0-7]{3,4} /.test(body.toString('latin1', at, at + 12))
    if (isLine) return endOfLine(body, at)
  }
  return -1
}

function isEnd(body: Buffer, at: number): boolean {
  return endMark.every((byte, i) => body[at + i] === byte) && (body[at + endMark.length] ?? LF) <= SPACE
}

/** Returns the index after the line. For short lines, a loop is faster than calls of indexOf. */
function endOfLine(body: Buffer, from: number): number {
  let at = from
  while (at < body.length && body[at] !== LF) at++
  return Math.min(at + 1, body.length)
}

/**
 * Decodes one line: its first character is the number of bytes, then four characters encode three bytes. Characters that are missing at the
 * end count as spaces.
 */
function decodeLine(body: Buffer, from: number, to: number, out: Buffer, start: number): number {
  const end = start + bytesOfLine(body[from]!)
  let length = start
  for (let at = from + 1; length < end; at += 4) {
    const group = valueAt(body, at, to) << 18 | valueAt(body, at + 1, to) << 12 | valueAt(body, at + 2, to) << 6 | valueAt(body, at + 3, to)
    out[length++] = group >> 16
    if (length < end) out[length++] = group >> 8
    if (length < end) out[length++] = group
  }
  return length
}

/** The number of bytes of a line, by its first character. A line with an invalid one has no bytes. */
const bytesOfLine = (first: number) => first < SPACE || first > BACKTICK ? 0 : valueOf(first)

const valueOf = (code: number) => (code - SPACE) & 0x3f

/** Returns the value of a character. Line breaks, and positions after the end of the line, count as spaces. */
function valueAt(body: Buffer, at: number, to: number): number {
  const code = at < to ? body[at]! : SPACE
  return code < SPACE ? 0 : valueOf(code)
}
