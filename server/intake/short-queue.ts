import type { AcceptedMessage } from '../envelope.ts'
import { openRotation } from '../rotation.ts'
import type { ChangeRecords } from '../store/accounts/change-records.ts'
import type { ShortMail, ShortMails } from './short-thread.ts'
import type { Thread } from './thread.ts'

/** Maximum bytes of mail in the thread at once: the mail of another client waits for at most this much. */
const maxUnderWayBytes = 512 * 1024
/** Minimum bytes that a mail counts as, so that at most 128 are in the thread. */
const minMailBytes = 4096

/** @returns false when the thread has not stored the mail */
export type StoreShortMail = (message: AcceptedMessage, bytes: Uint8Array, records?: ChangeRecords) => Promise<boolean>

interface QueuedMail {
  message: AcceptedMessage
  bytes: Uint8Array
  records: ChangeRecords | undefined
  resolve(isStored: boolean): void
  reject(error: unknown): void
}

/** Passes short mail to the thread that stores it, clients in rotation. */
export function openShortQueue(thread: Thread): StoreShortMail {
  const waiting = openRotation<QueuedMail>()
  let underWayBytes = 0
  let isPlanned = false

  function planBatch() {
    if (isPlanned || waiting.size === 0 || underWayBytes >= maxUnderWayBytes) return
    isPlanned = true
    setImmediate(postBatch) // in the next turn, so that mails that end in the same turn are passed on together
  }

  function postBatch() {
    isPlanned = false
    const mails: QueuedMail[] = []
    while (waiting.size > 0 && underWayBytes < maxUnderWayBytes) {
      const mail = waiting.shift()!
      const cost = Math.max(mail.bytes.length, minMailBytes)
      underWayBytes += cost
      mails.push(mail)
      void thread.settled(mail.message.id).finally(() => {
        underWayBytes -= cost
        planBatch()
      }).then(mail.resolve, mail.reject)
    }
    const packed = pack(mails)
    thread.post(packed, [packed.bytes.buffer])
  }

  return (message, bytes, records) => new Promise((resolve, reject) => {
    waiting.push(clientOf(message), { message, bytes, records, resolve, reject })
    planBatch()
  })
}

/** The IP address of the client; for a mail that came over HTTP, its account. */
const clientOf = ({ envelope: { remoteAddress, recipients } }: AcceptedMessage) => remoteAddress || recipients[0]?.accountId || ''

/** Concatenates the bytes: one buffer is transferred to a thread faster than many. */
function pack(mails: QueuedMail[]): ShortMails & { bytes: Uint8Array<ArrayBuffer> } {
  const bytes = new Uint8Array(mails.reduce((sum, mail) => sum + mail.bytes.length, 0))
  let end = 0
  for (const mail of mails) {
    bytes.set(mail.bytes, end)
    end += mail.bytes.length
  }
  return { messages: JSON.stringify(mails.map(({ message, records }): ShortMail => ({ ...message, records }))), bytes }
}
