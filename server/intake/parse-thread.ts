import { serialize } from 'node:v8'
import type { AcceptedMessage } from '../envelope.ts'
import type { ParsedMessage } from '../mime/parsed-message.ts'
import { readMessage } from '../mime/read-message.ts'
import type { ChangeRecords } from '../store/accounts/change-records.ts'
import { withoutRestOfHtml } from '../store/mail/excerpt.ts'
import { openParseBudget } from './parse-budget.ts'
import { runThread } from './thread-main.ts'

/** A mail, and what the transaction that publishes it does besides. */
export interface IncomingMail extends AcceptedMessage {
  /** The audit and idempotency records of the API request that created it. */
  records?: ChangeRecords | undefined
  claimsAuthentication: boolean
}

/** Mails, the bytes of their sources concatenated. */
export interface MailsToParse {
  id: string
  /** `IncomingMail[]` as JSON, which is passed to a thread faster than objects are. */
  messages: string
  bytes: Uint8Array<ArrayBuffer>
}

/** The buffers are passed on to the thread that writes, without a look at them. */
export interface ParsedMails {
  /** `(ParsedMessage | null)[]`, serialized; null for a mail that is left to a job. */
  parsed: Uint8Array<ArrayBuffer>
  /** The sources, as they came. */
  bytes: Uint8Array<ArrayBuffer>
  /** Ids of the mails that are null. */
  declined: string[]
}

const budget = openParseBudget()

runThread<MailsToParse>(({ reply, timed }) => ({ id, messages, bytes }) => {
  let start = 0
  const declined: string[] = []
  const parsed = (JSON.parse(messages) as IncomingMail[]).map((message) => {
    const source = Buffer.from(bytes.buffer, start, message.size)
    start += message.size
    const read = budget.isSpent(message) ? null : timed(() => parse(source), (cpuMs) => budget.charge(message, cpuMs))
    if (!read) declined.push(message.id)
    return read
  })
  const serialized = ownBytes(serialize(parsed))
  reply(id, { parsed: serialized, bytes, declined } satisfies ParsedMails, [serialized.buffer, bytes.buffer])
})

/** @returns null when the parser fails: a job then tries again, and can fall back to the header alone */
function parse(source: Buffer): ParsedMessage | null {
  try {
    return withoutRestOfHtml(readMessage(source))
  } catch {
    return null
  }
}

/** The bytes with a buffer of their own, which can be transferred. */
function ownBytes(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes as Buffer<ArrayBuffer>
  return new Uint8Array(buffer, byteOffset, byteLength)
}
