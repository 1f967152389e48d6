import type { SMTPServerDataStream } from 'smtp-server'
import { SMTPStream, type SMTPStreamOptions } from 'smtp-server/lib/smtp-stream.js'
import { MailSource } from './mail-source.ts'
import { MailMemory } from './mail-memory.ts'
import type { MailShare } from './mail-memory.ts'

const CR = 13
const LF = 10
const DOT = 46

/** Bytes of a mail that cost as much time as a command. */
const bytesPerCommand = 16_384

/** What a parser shares with those of other connections. */
export interface Shared {
  /** Runs work now, or when it is the client's turn. @param cost 1 for a command */
  takeTurn(cost: number, work: () => void): void
  /** The memory of the mail that begins. */
  openShare(): MailShare
}

const alone: Shared = { takeTurn: (_cost, work) => work(), openShare: () => new MailMemory(Infinity, 0).open('') }

/**
 * smtp-server's parser of commands, with a reader of mails of its own: that of smtp-server goes once through
 * the event loop for every stuffed dot, so that a mail of dots keeps it busy for seconds.
 */
export class MailParser extends SMTPStream {
  private declare source: MailSource
  private readonly shared: Shared
  private held: Buffer | undefined // a dot at the end of a chunk that may be the final one
  private beforeLast = CR
  private last = LF

  constructor(options?: SMTPStreamOptions, shared: Shared = alone) {
    super(options)
    this.shared = shared
  }

  override startDataMode(maxBytes: number) {
    this.source = new MailSource(maxBytes, this.shared.openShare())
    this.beforeLast = CR
    this.last = LF
    this._dataMode = true
    this._dataStream = this.source as unknown as SMTPServerDataStream
    return this._dataStream
  }

  override _feedDataStream(received: Buffer, done: () => void) {
    this.shared.takeTurn(Math.ceil(received.length / bytesPerCommand), () => this.feed(received, done))
  }

  /**
   * Takes the stuffed dots out, in place, and looks for the final one. Only CRLF "." CRLF is: a server that took less
   * for it could be made to see the end of a mail where others see none (SMTP smuggling). One pass over the bytes, so
   * that the time does not depend on how many dots there are.
   */
  private feed(received: Buffer, done: () => void) {
    const chunk = this.held ? Buffer.concat([this.held, received]) : received
    this.held = undefined
    const start = startOfDotLine(chunk, this.last)
    let beforeLast = chunk[start - 2] ?? (start === 1 ? this.last : this.beforeLast)
    let last = chunk[start - 1] ?? this.last
    let kept = start
    for (let i = start; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (byte === DOT && last === LF) {
        const mayBeFinal = beforeLast === CR && startsLikeCrlf(chunk, i + 1)
        if (mayBeFinal && i + 2 < chunk.length) {
          this.source.write(chunk.subarray(0, kept))
          return this._endDataMode(false, chunk.subarray(i + 3), done)
        }
        if (mayBeFinal || i + 1 === chunk.length) {
          this.held = chunk.subarray(i)
          break
        }
        if (chunk[i + 1] === DOT) {
          last = DOT
          continue
        }
      }
      chunk[kept++] = byte
      beforeLast = last
      last = byte
    }
    this.beforeLast = beforeLast
    this.last = last
    this.source.write(chunk.subarray(0, kept))
    this.source.whenRead(done)
  }
}

/** Where the first line with a dot in front begins, or the end of the chunk: what stands before is text as it is. */
function startOfDotLine(chunk: Buffer, last: number) {
  if (last === LF && chunk[0] === DOT) return 0
  const lineBreak = chunk.toString('latin1').indexOf('\n.')
  return lineBreak < 0 ? chunk.length : lineBreak + 1
}

/** Whether CRLF stands here, or what is there of the chunk could become it. */
function startsLikeCrlf(chunk: Buffer, from: number) {
  return (from >= chunk.length || chunk[from] === CR) && (from + 1 >= chunk.length || chunk[from + 1] === LF)
}
