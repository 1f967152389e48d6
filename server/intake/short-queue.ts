import type { AcceptedMessage } from '../envelope.ts'
import { openRotation } from '../rotation.ts'
import type { ShortMails } from './short-thread.ts'
import type { Thread } from './thread.ts'

/** Bytes of mail that the thread is given at once: a mail of another client waits for these, however many are sent. */
const maxUnderWayBytes = 512 * 1024
/** Bytes that a mail counts as at least, so that 128 are under way at most. */
const minMailBytes = 4096

/** @returns whether the thread has stored the mail; otherwise it is as it was */
export type StoreShort = (message: AcceptedMessage, bytes: Uint8Array) => Promise<boolean>

interface Mail {
  message: AcceptedMessage
  bytes: Uint8Array
  resolve(isStored: boolean): void
  reject(error: unknown): void
}

/** Hands short mail to the thread that stores it, the clients in rotation. */
export function openShortQueue(thread: Thread): StoreShort {
  const waiting = openRotation<Mail>()
  let underWayBytes = 0
  let isPlanned = false

  function plan() {
    if (isPlanned || waiting.size === 0 || underWayBytes >= maxUnderWayBytes) return
    isPlanned = true
    setImmediate(hand) // one turn later, so that mails that end together travel together
  }

  function hand() {
    isPlanned = false
    const mails: Mail[] = []
    while (waiting.size > 0 && underWayBytes < maxUnderWayBytes) {
      const mail = waiting.shift()!
      const cost = Math.max(mail.bytes.length, minMailBytes)
      underWayBytes += cost
      mails.push(mail)
      void thread.settled(mail.message.id).finally(() => {
        underWayBytes -= cost
        plan()
      }).then(mail.resolve, mail.reject)
    }
    const packed = pack(mails)
    thread.post(packed, [packed.bytes.buffer])
  }

  return (message, bytes) => new Promise((resolve, reject) => {
    waiting.push(clientOf(message), { message, bytes, resolve, reject })
    plan()
  })
}

/** A mail that came over HTTP has no client: its account stands in. */
const clientOf = ({ envelope: { remoteAddress, recipients } }: AcceptedMessage) => remoteAddress || recipients[0]?.accountId || ''

/** The bytes one behind the other: one piece of memory changes threads faster than many. */
function pack(mails: Mail[]): ShortMails & { bytes: Uint8Array<ArrayBuffer> } {
  const bytes = new Uint8Array(mails.reduce((sum, mail) => sum + mail.bytes.length, 0))
  let end = 0
  for (const mail of mails) {
    bytes.set(mail.bytes, end)
    end += mail.bytes.length
  }
  return { messages: JSON.stringify(mails.map(({ message }) => message)), bytes }
}
