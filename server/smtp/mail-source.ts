import { EventEmitter } from 'node:events'
import { AppError } from '../errors.ts'
import { lineEndings } from './line-endings.ts'

// the client is slowed down while this many bytes wait for the reader
const queueBytes = 262_144

/**
 * The text of one mail on its way in: smtp-server writes it, dots unstuffed, and the domain reads it, with CRLF line ends.
 * It stands in for the PassThrough of smtp-server, as far as that looks at one, because a stream costs much for a small mail.
 * The iterator throws AppError `PAYLOAD_TOO_LARGE` when the text is longer than allowed (the rest is dropped as it comes),
 * and an Error as soon as the client is gone before the final dot.
 */
export class MailSource extends EventEmitter implements AsyncIterable<Uint8Array> {
  /** Bytes given on so far. */
  bytes = 0
  /** The client went away, or took too long. */
  isLost = false
  writable = true
  readable = true
  writableEnded = false
  readableEnded = false
  readableFlowing = true
  destroyed = false
  byteLength = 0
  sizeExceeded = false

  private readonly maxBytes: number
  private readonly endings = lineEndings()
  private queue: Uint8Array[] = []
  private queued = 0
  private failure: Error | undefined
  private isDropped = false
  private wake: (() => void) | undefined

  constructor(maxBytes: number) {
    super()
    this.maxBytes = maxBytes
  }

  /** More is to come from the client. */
  get isOpen() {
    return !this.writableEnded && !this.isLost
  }

  /** Returns whether there is room for more; `drain` tells when there is again. */
  write(chunk: Buffer): boolean {
    if (!this.isDropped) this.take(this.endings.mend(chunk))
    return this.queued < queueBytes
  }

  end(chunk?: Buffer) {
    if (chunk) this.write(chunk)
    if (!this.isDropped) this.take(this.endings.end())
    this.writableEnded = true
    this.writable = false
    this.readable = false
    this.readableEnded = true
    this.wake?.()
    process.nextTick(() => this.emit('end'))
  }

  destroy(error?: Error) {
    this.destroyed = true
    this.lose(error?.message ?? 'the connection was closed')
    this.emit('close')
  }

  /** Makes the reader fail at once, because no more will come. */
  lose(reason: string) {
    if (!this.isOpen) return
    this.isLost = true
    this.fail(new Error(reason))
  }

  /** Drops what is still to come, because nobody reads it. */
  drop() {
    this.isDropped = true
    this.empty()
  }

  async* [Symbol.asyncIterator]() {
    for (;;) {
      for (const chunk of this.empty()) {
        if (this.failure) throw this.failure
        yield chunk
      }
      if (this.failure) throw this.failure
      if (this.queue.length > 0) continue
      if (this.writableEnded) return
      await new Promise<void>((resolve) => { this.wake = resolve })
    }
  }

  private take(chunk: Buffer) {
    if (chunk.length === 0) return
    this.bytes += chunk.length
    if (this.bytes > this.maxBytes) {
      return this.fail(new AppError('PAYLOAD_TOO_LARGE', `A mail has at most ${this.maxBytes} bytes`))
    }
    this.queue.push(chunk)
    this.queued += chunk.length
    this.wake?.()
  }

  private fail(error: Error) {
    this.failure ??= error
    this.drop()
    this.wake?.()
  }

  private empty() {
    const chunks = this.queue
    const wasFull = this.queued >= queueBytes
    this.queue = []
    this.queued = 0
    if (wasFull) this.emit('drain')
    return chunks
  }
}
