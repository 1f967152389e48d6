import { CR, LF } from '../line-endings.ts'

/** The header of a mail as it was received. */
export interface MailHeader {
  fields: RawHeaderField[]
  /** Whether the header is longer than the limits, so that `fields` is incomplete. */
  isCut: boolean
}

export interface MailHead extends MailHeader {
  /** Whole lines. */
  body: AsyncGenerator<Uint8Array>
}

export interface RawHeaderField {
  /** In lower case; '' for lines before the first field, and for a field with a malformed name. */
  name: string
  /** Its bytes as latin1, with line breaks. */
  text: string
}

/** Maximum bytes and lines of a header that are read; the header of a mail with a thousand hops is far shorter. */
const maxHeadBytes = 256 * 1024
const maxLines = 10_000

/** Reads the header of a mail. The body is read when the caller iterates over it. */
export async function readHead(source: AsyncIterable<Uint8Array>): Promise<MailHead> {
  const chunks = source[Symbol.asyncIterator]()
  let read: Buffer = Buffer.alloc(0)
  let end = -1
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    read = read.length === 0 ? viewOf(next.value) : Buffer.concat([read, next.value])
    end = endOfHead(read)
    if (end >= 0 || read.length > maxHeadBytes) break
  }
  if (end < 0) end = read.length
  return { ...headerOf(read, end), body: wholeLines(read.subarray(end), chunks) }
}

/** Reads the header of a mail of which all bytes are there. */
export function readHeader(source: Buffer): MailHeader {
  const start = source.subarray(0, maxHeadBytes + 1)
  const end = endOfHead(start)
  return headerOf(start, end < 0 ? start.length : end)
}

/** @param end its length in bytes */
function headerOf(read: Buffer, end: number): MailHeader {
  const lines = read.toString('latin1', 0, Math.min(end, maxHeadBytes)).split(/(?<=\n)/, maxLines + 1)
  return { fields: toFields(lines.slice(0, maxLines)), isCut: end > maxHeadBytes || lines.length > maxLines }
}

/** Returns the index of the empty line that ends the header, -1 when it is not received yet. */
function endOfHead(read: Buffer): number {
  if (read[0] === LF || (read[0] === CR && read[1] === LF)) return 0
  const ends = ['\n\r\n', '\n\n'].map((mark) => read.indexOf(mark)).filter((at) => at >= 0)
  return ends.length > 0 ? Math.min(...ends) + 1 : -1
}

const fieldStart = /^([!-9;-~]+)([ \t\r\n]*):/
/** Maximum white space between the name of a field and its colon: mailauth takes time quadratic in its length. */
const maxGapChars = 1_000

/** A line without a field name continues the field before it, as in mailauth. Another parser would authenticate another header. */
function toFields(lines: string[]): RawHeaderField[] {
  const fields: RawHeaderField[] = []
  let below: string[] = []
  for (let i = lines.length - 1; i >= 0; i--) {
    const start = fieldStart.exec(lines[i]! + (below.at(-1) ?? ''))
    below.push(lines[i]!)
    if (!start && i > 0) continue
    const isNamed = start && start[2]!.length <= maxGapChars
    fields.push({ name: isNamed ? start[1]!.toLowerCase() : '', text: below.reverse().join('') })
    below = []
  }
  return fields.reverse()
}

/** Joins the pieces of a line once, when it is complete: joining with each piece would take quadratic time. */
async function* wholeLines(first: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  for (let chunk: Uint8Array | undefined = first; chunk; chunk = await nextOf(chunks)) {
    const end = chunk.lastIndexOf(LF) + 1
    let start = 0
    if (end > 0 && held.length > 0) {
      start = chunk.indexOf(LF) + 1
      yield Buffer.concat([...held, chunk.subarray(0, start)])
      held = []
    }
    if (start < end) yield chunk.subarray(start, end)
    if (end < chunk.length) held.push(chunk.subarray(end))
  }
  yield Buffer.concat(held)
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength)

async function nextOf(chunks: AsyncIterator<Uint8Array>) {
  const next = await chunks.next()
  return next.done ? undefined : next.value
}
