import { CR, LF } from '../line-endings.ts'

/** The header of a mail as it came, and its body in whole lines. */
export interface MailHead {
  fields: HeaderField[]
  /** The header goes on beyond what is looked at: its fields say nothing certain. */
  isCut: boolean
  body: AsyncGenerator<Uint8Array>
}

export interface HeaderField {
  /** In lower case; '' for lines above the first field, and for a field whose name cannot be read. */
  name: string
  /** Its bytes, a character each, line ends included. */
  text: string
}

/** Bytes and lines of a header that are looked at; a mailing list of a thousand hops stays far below. */
const longestHead = 256 * 1024
const mostLines = 10_000

/** Reads the header of a mail; the body follows when it is asked for. */
export async function readHead(source: AsyncIterable<Uint8Array>): Promise<MailHead> {
  const chunks = source[Symbol.asyncIterator]()
  let read: Buffer = Buffer.alloc(0)
  let end = -1
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    read = read.length === 0 ? Buffer.from(next.value) : Buffer.concat([read, next.value])
    end = endOfHead(read)
    if (end >= 0 || read.length > longestHead) break
  }
  if (end < 0) end = read.length
  const head = read.toString('latin1', 0, Math.min(end, longestHead))
  const lines = head.split(/(?<=\n)/, mostLines + 1)
  return {
    fields: toFields(lines.slice(0, mostLines)),
    isCut: end > longestHead || lines.length > mostLines,
    body: wholeLines(read.subarray(end), chunks),
  }
}

/** The index of the empty line that ends the header, -1 when it is not there yet. */
function endOfHead(read: Buffer): number {
  if (read[0] === LF || (read[0] === CR && read[1] === LF)) return 0
  const ends = ['\n\r\n', '\n\n'].map((mark) => read.indexOf(mark)).filter((at) => at >= 0)
  return ends.length > 0 ? Math.min(...ends) + 1 : -1
}

const fieldStart = /^([!-9;-~]+)([ \t\r\n]*):/
/** Maximum white space between the name of a field and its colon: mailauth takes time quadratic in its length. */
const maxGapLength = 1_000

/** A line that begins no field belongs to the one above it: that is how mailauth reads a header too. */
function toFields(lines: string[]): HeaderField[] {
  const fields: HeaderField[] = []
  let below: string[] = []
  for (let i = lines.length - 1; i >= 0; i--) {
    const start = fieldStart.exec(lines[i]! + (below.at(-1) ?? ''))
    below.push(lines[i]!)
    if (!start && i > 0) continue
    const isNamed = start && start[2]!.length <= maxGapLength
    fields.push({ name: isNamed ? start[1]!.toLowerCase() : '', text: below.reverse().join('') })
    below = []
  }
  return fields.reverse()
}

/** A line that comes in pieces is put together once, not again with each piece. */
async function* wholeLines(first: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  for (let chunk: Uint8Array | undefined = first; chunk; chunk = await nextOf(chunks)) {
    const end = chunk.lastIndexOf(LF) + 1
    if (end > 0) {
      yield Buffer.concat([...held, chunk.subarray(0, end)])
      held = []
    }
    held.push(chunk.subarray(end))
  }
  yield Buffer.concat(held)
}

async function nextOf(chunks: AsyncIterator<Uint8Array>) {
  const next = await chunks.next()
  return next.done ? undefined : next.value
}
