import type { SMTPServerDataStream } from 'smtp-server'
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import { MailSource } from './mail-source.ts'

const CR = 13
const LF = 10
const DOT = 46
const lfDot = Buffer.of(LF, DOT)

/**
 * smtp-server's parser of commands, with a reader of mails of its own: that of smtp-server goes once through
 * the event loop for every stuffed dot, so that a mail of dots keeps it busy for seconds.
 */
export class MailParser extends SMTPStream {
  private declare source: MailSource
  private held: Buffer | undefined // a dot at the end of a chunk that may be the final one
  private beforeLast = CR
  private last = LF

  override startDataMode(maxBytes: number) {
    this.source = new MailSource(maxBytes)
    this.beforeLast = CR
    this.last = LF
    this._dataMode = true
    this._dataStream = this.source as unknown as SMTPServerDataStream
    return this._dataStream
  }

  /**
   * Takes the stuffed dots out and looks for the final one. Only CRLF "." CRLF is: a server that took less
   * for it could be made to see the end of a mail where others see none (SMTP smuggling).
   */
  override _feedDataStream(received: Buffer, done: () => void) {
    const chunk = this.held ? Buffer.concat([this.held, received]) : received
    this.held = undefined
    let start = 0
    let dot = this.last === LF && chunk[0] === DOT ? 0 : dotAfterLf(chunk, 0)
    for (; dot !== -1; dot = dotAfterLf(chunk, dot)) {
      const mayBeFinal = this.byteAt(chunk, dot - 2) === CR && startsLikeCrlf(chunk, dot + 1)
      if (mayBeFinal && dot + 2 < chunk.length) {
        this.source.write(chunk.subarray(start, dot))
        return this._endDataMode(false, chunk.subarray(dot + 3), done)
      }
      if (mayBeFinal || dot + 1 === chunk.length) {
        this.held = chunk.subarray(dot)
        break
      }
      if (chunk[dot + 1] === DOT) {
        this.source.write(chunk.subarray(start, dot))
        start = dot + 1
      }
    }
    const end = chunk.length - (this.held?.length ?? 0)
    const last = this.byteAt(chunk, end - 1)
    this.beforeLast = this.byteAt(chunk, end - 2)
    this.last = last
    this.source.write(chunk.subarray(start, end))
    this.source.whenRead(done)
  }

  private byteAt(chunk: Buffer, index: number) {
    return index >= 0 ? chunk[index]! : index === -1 ? this.last : this.beforeLast
  }
}

function dotAfterLf(chunk: Buffer, from: number) {
  const lf = chunk.indexOf(lfDot, from)
  return lf === -1 ? -1 : lf + 1
}

/** Whether CRLF stands here, or what is there of the chunk could become it. */
function startsLikeCrlf(chunk: Buffer, from: number) {
  return (from >= chunk.length || chunk[from] === CR) && (from + 1 >= chunk.length || chunk[from + 1] === LF)
}
