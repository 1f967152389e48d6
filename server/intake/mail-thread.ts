import { publish } from '../domain/publishing.ts'
import type { ClaimedAuthentication } from '../domain/publishing.ts'
import type { AcceptedMessage } from '../envelope.ts'
import type { ParsedMessage } from '../mime/parsed-message.ts'
import { readMessage } from '../mime/read-message.ts'
import { authorsOfUnsigned } from '../outbound/authenticated-fields.ts'
import { insertChangeRecords } from '../store/accounts/idempotency-keys.ts'
import type { ChangeRecords } from '../store/accounts/idempotency-keys.ts'
import { inTransaction } from '../store/database.ts'
import type { Claim } from '../store/jobs/claims.ts'
import { withoutRestOfHtml } from '../store/mail/excerpt.ts'
import type { KnownAuthentication } from './held-mails.ts'
import type { MailChecks, MailToAuthenticate } from './mail-checks.ts'
import { openParseBudget } from './parse-budget.ts'
import { sourcesOf } from './shared-sources.ts'
import type { SharedMail } from './shared-sources.ts'
import { runThread } from './thread-main.ts'

/** A mail, where its source is, and what the transaction that publishes it does besides. */
export interface IncomingMail extends AcceptedMessage, SharedMail {
  /** The audit and idempotency records of the API request that created it. */
  records?: ChangeRecords | undefined
  /** For the job that authenticates it, if this process begins that at once. */
  claim?: Claim | undefined
  /** Its authentication results, if it has these authors. */
  known?: KnownAuthentication | undefined
}

export type MailWork =
  | {
    kind: 'publish'
    /** `IncomingMail[]` as JSON, which is passed to a thread faster than objects are. */
    messages: string
    /** The sources that are not in the shared memory, concatenated. */
    bytes: Uint8Array<ArrayBuffer>
  }
  | {
    kind: 'authenticate'
    mails: MailToAuthenticate[]
    /** Milliseconds since 1970. */
    now: number
  }
  | {
    /** Of a mail that the thread before this one had when it ended. */
    kind: 'charge'
    message: AcceptedMessage
  }

/** Processor time that is charged for such a mail: about that after which a stuck thread is replaced. */
const endedThreadMs = 10_000

/** The result of a mail that is published, and whose authentication has to begin. */
export interface UnauthenticatedMail extends ClaimedAuthentication {
  /** The From fields of a mail without signatures; null for another one. */
  authors: string | null
}

/** Parses mail that is in memory, publishes it, and authenticates it. Changes that are there at the same time share a commit. */
runThread<MailWork>((context) => {
  const { data: { sharedSources }, db, settle, timed } = context
  const budget = openParseBudget()
  let checks: Promise<MailChecks> | undefined
  // with the first mail that is authenticated: the thread for small mail has 9 MB less to hold
  const openChecks = () => checks ??= import('./mail-checks.ts').then(({ openMailChecks }) => openMailChecks(context))

  /** @returns null when the mail is left to a job */
  function parse(message: IncomingMail, source: Buffer): ParsedMessage | null {
    if (budget.isSpent(message)) return null
    return timed(() => parseInMemory(source), (cpuMs) => budget.charge(message, cpuMs))
  }

  /** @returns undefined when nothing is left to do */
  async function publishParsed(mail: IncomingMail, source: Buffer, content: ParsedMessage): Promise<UnauthenticatedMail | undefined> {
    const { envelope, records, claim = null, known } = mail
    const authors = envelope.remoteAddress === '' ? null : authorsOfUnsigned(source)
    const results = authors !== null && known?.authors === authors ? known.results : null
    const claimed = await inTransaction(db, async (tx) => {
      const authentication = await publish(tx, mail, content, { source, results, claim })
      if (records) await insertChangeRecords(tx, records)
      return authentication
    }, { mayInterleave: true })
    return claimed && { ...claimed, authors }
  }

  return {
    work(work) {
      if (work.kind === 'authenticate') {
        for (const mail of work.mails) void settle(mail.claim.id, work.now, async () => (await openChecks()).authenticate(mail))
        return
      }
      if (work.kind === 'charge') return budget.charge(work.message, endedThreadMs)
      const mails = JSON.parse(work.messages) as IncomingMail[]
      const sources = sourcesOf(mails, sharedSources, work.bytes)
      const contents = mails.map((mail, i) => parse(mail, sources[i]!)) // before the transaction, for which other threads wait
      for (const [i, mail] of mails.entries()) {
        const content = contents[i]
        void settle(mail.id, mail.receivedAt, async () => content ? publishParsed(mail, sources[i]!, content) : 'declined')
      }
    },
    closing: () => void checks?.then(({ close }) => close()),
  }
})

/** @returns null when the parser fails: a job then tries again, and can fall back to the header alone */
function parseInMemory(source: Buffer): ParsedMessage | null {
  try {
    return withoutRestOfHtml(readMessage(source))
  } catch {
    return null
  }
}
