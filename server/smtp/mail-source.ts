import { EventEmitter } from 'node:events'
import { AppError } from '../errors.ts'
import { openCrlfStream } from '../line-endings.ts'
import { unlimitedShare } from './mail-memory.ts'
import type { MailShare } from './mail-memory.ts'

// the client is slowed down while this many bytes wait for the reader
const queueBytes = 262_144
// shorter pieces are put together, because each costs as much memory as its bytes or more
const shortBytes = 1024
const shortPieces = 64

/**
 * The text of one incoming mail: the parser writes it, dots unstuffed, and the domain reads it, with CRLF line
 * ends. Has the members of smtp-server's PassThrough that smtp-server uses; a stream costs too much for a small
 * mail. The iterator throws AppError `PAYLOAD_TOO_LARGE` when the text is longer than allowed (the rest is
 * dropped), and an Error when the client disconnects before the final dot.
 */
export class MailSource extends EventEmitter implements AsyncIterable<Uint8Array> {
  /** Bytes of the text so far. */
  bytes = 0
  /** The client went away, or took too long. */
  isLost = false
  readable = true
  readableEnded = false
  readableFlowing = true
  writableEnded = false
  destroyed = false

  private readonly maxBytes: number
  private readonly share: MailShare
  private readonly crlf = openCrlfStream()
  private pieces: Buffer[] = []
  private queue: Buffer[] = []
  private queued = 0
  private failure: Error | undefined
  private isDropped = false
  private wake: (() => void) | undefined

  /** @param share of the memory for mail; unlimited by default */
  constructor(maxBytes: number, share: MailShare = unlimitedShare()) {
    super()
    this.share = share
    this.maxBytes = maxBytes
  }

  /** More is to come from the client. */
  get isOpen() {
    return !this.writableEnded && !this.isLost
  }

  /** Whether the client waits for this server: for the reader of the mail, or for memory. */
  get isHeldUp() {
    return this.share.isHeldUp || this.share.isWaiting
  }

  /** Releases the memory of bytes that are on disk. */
  noteStored(bytes: number) {
    this.share.release(bytes)
  }

  write(chunk: Buffer) {
    if (!this.isDropped) this.take(this.crlf.convert(chunk))
  }

  end() {
    if (!this.isDropped) this.take(this.crlf.end())
    this.joinPieces()
    this.writableEnded = true
    this.readable = false
    this.readableEnded = true
    this.wake?.()
    process.nextTick(() => this.emit('end'))
  }

  /** Calls back once there is room for more. */
  whenRead(callback: () => void) {
    if (this.queued < queueBytes) return this.share.whenRoom(callback)
    this.share.isHeldUp = true
    this.once('drain', () => {
      this.share.isHeldUp = false
      this.share.whenRoom(callback)
    })
  }

  destroy() {
    this.destroyed = true
    this.lose('the connection was closed')
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
    this.pieces = []
    this.empty()
    this.share.close()
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
    this.queued += chunk.length
    this.share.add(chunk.length)
    this.pieces.push(chunk)
    if (chunk.length >= shortBytes || this.pieces.length === shortPieces) this.joinPieces()
  }

  private joinPieces() {
    if (this.pieces.length === 0) return
    this.queue.push(this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces))
    this.pieces = []
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
