import type { Intake } from '../context.ts'
import type { AcceptedMessage } from '../envelope.ts'
import type { LongMail } from './long-thread.ts'
import type { ShortMails } from './short-thread.ts'
import { openThread } from './thread.ts'
import type { ThreadOptions } from './thread.ts'

/** What one mail may take: milliseconds, and megabytes of heap. */
export interface IntakeLimits {
  patience: number
  memory: number
}

export const intakeLimits: IntakeLimits = { patience: 10_000, memory: 512 }

/** Milliseconds that the thread for long mails is kept for the next one. */
const longIdle = 3_000

/**
 * Two threads that parse and store mail, so that neither the work nor the fsync holds up HTTP and SMTP: one for short
 * mails, which are stored while their senders wait, and one for those that take longer.
 */
export function openIntake(
  options: Pick<ThreadOptions, 'database' | 'log' | 'announce'>, limits: IntakeLimits,
): Intake & { close(): Promise<void> } {
  const short = openThread({ ...options, ...limits, script: 'short-thread' })
  const long = openThread({ ...options, ...limits, script: 'long-thread', idle: longIdle })
  let outgoing: { message: AcceptedMessage, bytes: Uint8Array }[] = []

  function flush() {
    const mails = pack(outgoing)
    outgoing = []
    short.post(mails, [mails.bytes.buffer])
  }

  return {
    store(message, bytes) {
      // one turn later, so that mails that end together travel together
      if (outgoing.push({ message, bytes }) === 1) setImmediate(flush)
      return short.settled(message.id)
    },
    publish(message, problem) {
      long.post({ message, problem } satisfies LongMail)
      return long.settled(message.id)
    },
    async close() {
      await Promise.all([short.close(), long.close()])
    },
  }
}

function pack(mails: { message: AcceptedMessage, bytes: Uint8Array }[]): ShortMails & { bytes: Uint8Array<ArrayBuffer> } {
  const bytes = new Uint8Array(mails.reduce((sum, mail) => sum + mail.bytes.length, 0))
  let end = 0
  for (const mail of mails) {
    bytes.set(mail.bytes, end)
    end += mail.bytes.length
  }
  return { messages: JSON.stringify(mails.map(({ message }) => message)), bytes }
}
