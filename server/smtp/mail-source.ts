import { EventEmitter } from 'node:events'
import { payloadTooLarge } from '../errors.ts'
import { openCrlfStream } from '../line-endings.ts'
import { unlimitedShare } from './mail-memory.ts'
import type { MailShare } from './mail-memory.ts'

/** Bytes that wait for the reader, beyond which the client's socket is not read. */
const maxQueuedBytes = 262_144
// shorter pieces are joined, because the overhead of each is as large as its bytes
const shortPieceBytes = 1024
const maxShortPieces = 64

/**
 * The bytes of one incoming mail. The parser writes them, without dot-stuffing, and the domain reads them, with CRLF line endings. It has
 * the members of the PassThrough stream that smtp-server uses; a real stream takes too long for a small mail. The iterator throws
 * AppError `PAYLOAD_TOO_LARGE` when the mail is too long (RFC 1870, section 6.3; the rest is dropped), and Error when the client
 * disconnects before the final dot.
 */
export class MailSource extends EventEmitter implements AsyncIterable<Uint8Array> {
  receivedBytes = 0
  /** Whether the client disconnected or took too long. */
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
  private queuedBytes = 0
  private failure: Error | undefined
  private isDropped = false
  private wake: (() => void) | undefined

  /** @param share of the memory for mail; without a limit by default */
  constructor(maxBytes: number, share: MailShare = unlimitedShare()) {
    super()
    this.share = share
    this.maxBytes = maxBytes
  }

  /** Whether the client may send more. */
  get isOpen() {
    return !this.writableEnded && !this.isLost
  }

  /** Whether the client waits for this server: for the reader of the mail, or for memory. */
  get isHeldUp() {
    return this.share.isHeldUp || this.share.isWaiting
  }

  get isMemoryScarce() {
    return this.share.isScarce
  }

  /** Releases the memory of bytes that are on disk. */
  recordStored(bytes: number) {
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
    if (this.queuedBytes < maxQueuedBytes) return this.share.whenRoom(callback)
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

  /** Makes the reader fail at once, because the client cannot send more. */
  lose(reason: string) {
    if (!this.isOpen) return
    this.isLost = true
    this.fail(new Error(reason))
  }

  /** Drops the rest, which is not read any more. */
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
    this.receivedBytes += chunk.length
    if (this.receivedBytes > this.maxBytes) {
      return this.fail(payloadTooLarge(`A mail has at most ${this.maxBytes} bytes`))
    }
    this.queuedBytes += chunk.length
    this.share.add(chunk.length)
    this.pieces.push(chunk)
    if (chunk.length >= shortPieceBytes || this.pieces.length === maxShortPieces) this.joinPieces()
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
    const wasFull = this.queuedBytes >= maxQueuedBytes
    this.queue = []
    this.queuedBytes = 0
    if (wasFull) this.emit('drain')
    return chunks
  }
}
