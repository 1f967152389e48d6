import { openRotation } from '../rotation.ts'

/** The part of the memory that one mail on its way in takes. */
export interface MailShare {
  /** The mail waits for the disk, not for its client. */
  isHeldUp: boolean
  /** More of this mail is not read, because the memory is full. */
  readonly isWaiting: boolean
  add(bytes: number): void
  release(bytes: number): void
  /** Gives everything back, because the mail is stored or dropped. */
  close(): void
  /** Calls back once there is room for more of this mail. */
  whenRoom(callback: () => void): void
}

/**
 * Bounds the bytes of mail that are in memory, from the socket to the disk. When it is full, mails wait with what they have yet to
 * send; as soon as there is room, the senders take turns. One mail at a time, the leader, is read on even then: a mail gives memory
 * back only once it has a whole chunk, so mails that all wait for the rest of theirs would wait for ever.
 */
export class MailMemory {
  /** Bytes held now. */
  held = 0
  private readonly maxBytes: number
  private readonly smallBytes: number
  private readonly waiting = openRotation<Share>()
  private leader: Share | undefined

  /**
   * @param maxBytes with less held, any mail may be read; each may then exceed it by one read
   * @param smallBytes a mail that holds no more never waits, so a short mail gets in whatever others send
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
    return share.held <= this.smallBytes || this.held < this.maxBytes || share === this.leader
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
    while (this.waiting.size > 0 && (this.held < this.maxBytes || !this.leader)) {
      const share = this.waiting.shift()!
      if (this.held >= this.maxBytes && share.isWaiting) this.leader = share
      share.resume()
    }
  }
}

class Share implements MailShare {
  readonly sender: string
  held = 0
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

  add(bytes: number) {
    this.held += bytes
    this.memory.held += bytes
    this.hasRead = true
  }

  release(bytes: number) {
    this.add(-Math.min(bytes, this.held))
    this.memory.resign(this)
  }

  close() {
    this.release(this.held)
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
