import { FairQueue } from '../turns/fair-queue.ts'

/** The memory that one incoming mail holds. */
export interface MailShare {
  /** Whether the mail waits for the disk, and not for its client. */
  isHeldUp: boolean
  /** Whether reading is paused because the memory is full. */
  readonly isWaiting: boolean
  /** Whether more than half of the memory is held: mails then go to the disk piece by piece. */
  readonly isScarce: boolean
  add(bytes: number): void
  release(bytes: number): void
  /** Releases everything: the mail is stored or dropped. */
  close(): void
  /** Calls back when more of this mail may be read. */
  whenRoom(callback: () => void): void
}

/** A share without a limit. */
export const unlimitedShare = (): MailShare => new MailMemory(Infinity, 0).open('')

/**
 * Limits the bytes of incoming mail in memory, from the socket to the disk. While it is full, the sockets of mails are not read; when
 * bytes are released, waiting mails resume, their senders in rotation. One waiting mail at a time, the leader, is read even while the
 * memory is full: a mail releases memory only when a whole chunk of it is stored, so if all mails waited for the rest of their
 * chunks, none could go on (deadlock).
 */
export class MailMemory {
  /** Bytes held now. */
  heldBytes = 0
  readonly maxBytes: number
  private readonly smallBytes: number
  private readonly waiting = new FairQueue<Share>()
  private leader: Share | undefined

  /**
   * @param maxBytes any mail is read while fewer bytes are held; each may exceed this by one read
   * @param smallBytes a mail that holds no more than this never waits
   */
  constructor(maxBytes: number, smallBytes: number) {
    this.maxBytes = maxBytes
    this.smallBytes = smallBytes
  }

  open(sender: string): MailShare {
    return new Share(this, sender)
  }

  /** Replaces a leader whose client has sent nothing since the last call. */
  replaceStalled() {
    const { leader } = this
    if (leader && !leader.hasRead && !leader.isHeldUp) this.resign(leader)
    else if (leader) leader.hasRead = false
  }

  mayRead(share: Share) {
    return share.heldBytes <= this.smallBytes || this.heldBytes < this.maxBytes || share === this.leader
  }

  enqueue(share: Share) {
    this.waiting.push(share.sender, share)
    this.resumeNext()
  }

  resign(share: Share) {
    if (share === this.leader) this.leader = undefined
    this.resumeNext()
  }

  private resumeNext() {
    while (this.waiting.size > 0 && (this.heldBytes < this.maxBytes || !this.leader)) {
      const share = this.waiting.shift()!
      if (this.heldBytes >= this.maxBytes && share.isWaiting) this.leader = share
      share.resume()
    }
  }
}

class Share implements MailShare {
  readonly sender: string
  heldBytes = 0
  hasRead = true
  isHeldUp = false
  private readonly memory: MailMemory
  private callback: (() => void) | undefined

  constructor(memory: MailMemory, sender: string) {
    this.memory = memory
    this.sender = sender
  }

  get isWaiting() {
    return this.callback !== undefined
  }

  get isScarce() {
    return this.memory.heldBytes > this.memory.maxBytes / 2
  }

  add(bytes: number) {
    this.heldBytes += bytes
    this.memory.heldBytes += bytes
    this.hasRead = true
  }

  release(bytes: number) {
    this.add(-Math.min(bytes, this.heldBytes))
    this.memory.resign(this)
  }

  close() {
    this.release(this.heldBytes)
    this.resume()
  }

  whenRoom(callback: () => void) {
    if (this.memory.mayRead(this)) return callback()
    this.callback = callback
    this.memory.enqueue(this)
  }

  resume() {
    const { callback } = this
    this.callback = undefined
    callback?.()
  }
}
