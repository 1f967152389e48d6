import { serialize } from 'node:v8'
import type { AcceptedMessage } from '../envelope.ts'
import type { ParsedMessage } from '../mime/parsed-message.ts'
import { readMessage } from '../mime/read-message.ts'
import { authorsOfUnsigned } from '../outbound/authenticated-fields.ts'
import type { ChangeRecords } from '../store/accounts/idempotency-keys.ts'
import type { Claim } from '../store/jobs/claims.ts'
import { withoutRestOfHtml } from '../store/mail/excerpt.ts'
import { openParseBudget } from './parse-budget.ts'
import { sourcesOf } from './shared-sources.ts'
import type { SharedMail } from './shared-sources.ts'
import { runThread } from './thread-main.ts'

/** A mail, where its source is, and what the transaction that publishes it does besides. */
export interface IncomingMail extends AcceptedMessage, SharedMail {
  /** The audit and idempotency records of the API request that created it. */
  records?: ChangeRecords | undefined
  /** For the job that authenticates it, if this process begins that at once. */
  claim: Claim | null
}

export interface MailsToParse {
  id: string
  /** `IncomingMail[]` as JSON, which is passed to a thread faster than objects are. */
  messages: string
  /** The sources that are not in the shared memory, concatenated. */
  bytes: Uint8Array<ArrayBuffer>
}

/** The buffers are passed on to the thread that writes, without a look at them. */
export interface ParsedMails {
  /** `(ParsedMessage | null)[]`, serialized; null for a mail that is left to a job. */
  parsed: Uint8Array<ArrayBuffer>
  /** As they came. */
  bytes: Uint8Array<ArrayBuffer>
  /** Ids of the mails that are null. */
  declined: string[]
  /** The From fields of each mail without signatures; null for the others. */
  authors: (string | null)[]
}

runThread<MailsToParse>(({ data: { sharedSources }, reply, timed }) => {
  const budget = openParseBudget()
  return {
    work({ id, messages, bytes }) {
      const declined: string[] = []
      const authors: (string | null)[] = []
      const mails = JSON.parse(messages) as IncomingMail[]
      const sources = sourcesOf(mails, sharedSources!, bytes)
      const parsed = mails.map((message, i) => {
        const source = sources[i]!
        const read = budget.isSpent(message) ? null : timed(() => parse(source), (cpuMs) => budget.charge(message, cpuMs))
        if (!read) declined.push(message.id)
        authors.push(message.envelope.remoteAddress === '' ? null : authorsOfUnsigned(source))
        return read
      })
      const serialized = ownBytes(serialize(parsed))
      reply(id, { parsed: serialized, bytes, declined, authors } satisfies ParsedMails, [serialized.buffer, bytes.buffer])
    },
  }
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
