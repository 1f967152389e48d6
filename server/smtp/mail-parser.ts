import type { SMTPServerDataStream } from 'smtp-server'
import { SMTPStream, type SMTPStreamOptions } from 'smtp-server/lib/smtp-stream.js'
import { CR, LF } from '../line-endings.ts'
import { unlimitedShare } from './mail-memory.ts'
import type { MailShare } from './mail-memory.ts'
import { MailSource } from './mail-source.ts'

const DOT = 0x2e

/** Resources that the parsers of all connections share. */
export interface ParserResources {
  /** Runs work on bytes of a mail now, or when the client may use more time. */
  schedule(bytes: number, work: () => void): void
  /** Opens the share of memory of a new mail. */
  openShare(): MailShare
}

const unlimited: ParserResources = { schedule: (_bytes, work) => work(), openShare: unlimitedShare }

/**
 * smtp-server's parser of commands with another reader of mails: that of smtp-server waits for a turn of the event loop at each stuffed
 * dot, so a mail of dots would occupy it for seconds (docs/decisions/0010).
 */
export class MailParser extends SMTPStream {
  private declare source: MailSource
  private readonly resources: ParserResources
  private unread: Buffer | undefined // a chunk that waits for its turn
  private chunkBytes = 0 // size of the chunk that is read, or waits for its turn
  private held: Buffer | undefined // a dot at the end of a chunk that may be the final one
  private beforeLast = CR
  private last = LF

  constructor(options?: SMTPStreamOptions, resources: ParserResources = unlimited) {
    super(options)
    this.resources = resources
    // when the client closes its side, smtp-server would run a last command without line break, which may be cut off
    this.prependListener('finish', () => { this.isClosed = true })
  }

  override startDataMode(maxBytes: number) {
    this.source = new MailSource(maxBytes, this.resources.openShare())
    this.chunkBytes = 0
    this.beforeLast = CR
    this.last = LF
    this._dataMode = true
    return this._dataStream = this.source as unknown as SMTPServerDataStream
  }

  override _feedDataStream(received: Buffer, done: () => void) {
    this.unread = received
    this.chunkBytes = received.length
    this.resources.schedule(received.length, () => {
      this.unread = undefined
      this.feed(received, done)
    })
  }

  /** Whether the final dot of a mail may be among the received bytes that are not read yet. */
  get mayHoldFinalDot(): boolean {
    if (this.writableLength > this.chunkBytes) return true // further chunks wait
    const { beforeLast, last, held = Buffer.alloc(0), unread } = this
    return unread !== undefined && Buffer.concat([Buffer.of(beforeLast, last), held, unread]).includes('\r\n.\r\n')
  }

  /**
   * Removes dot-stuffing in place (RFC 5321, section 4.5.2) and finds the final dot. Only CRLF "." CRLF ends a mail (section 4.1.1.4): a
   * server that accepts less can be made to see the end of a mail where other servers see none (SMTP smuggling). One pass over the bytes,
   * so the time does not depend on the number of dots.
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

/** Offset of the first line that begins with a dot, or the end of the chunk. The bytes before it stay as they are. */
function startOfDotLine(chunk: Buffer, last: number) {
  if (last === LF && chunk[0] === DOT) return 0
  const lineBreak = chunk.toString('latin1').indexOf('\n.')
  return lineBreak < 0 ? chunk.length : lineBreak + 1
}

/** Whether CRLF is at this index, or the end of the chunk may be the beginning of it. */
function startsLikeCrlf(chunk: Buffer, from: number) {
  return (from >= chunk.length || chunk[from] === CR) && (from + 1 >= chunk.length || chunk[from + 1] === LF)
}
