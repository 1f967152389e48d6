import { deserialize } from 'node:v8'
import type { Authentication } from '../contract/types.gen.ts'
import { publish, recordAuthentication } from '../domain/publishing.ts'
import type { ParsedMessage } from '../mime/parsed-message.ts'
import { insertChangeRecords } from '../store/accounts/idempotency-keys.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import { completeJob } from '../store/jobs/claims.ts'
import type { Claim } from '../store/jobs/claims.ts'
import { runDatabaseThread } from './database-thread.ts'
import type { IncomingMail, ParsedMails } from './parse-thread.ts'
import { sourcesOf } from './shared-sources.ts'

/** Parsed mails. */
export interface MailsToWrite extends Pick<ParsedMails, 'parsed' | 'bytes'> {
  kind: 'publish'
  /** `IncomingMail[]` as JSON. */
  messages: string
  /** The authentication results of each mail, if they are known already: `(Authentication | null)[]` as JSON. */
  results: string
}

/** The results of a job that has authenticated a mail. */
export interface AuthenticationToWrite {
  claim: Claim
  messageId: string
  results: Authentication | null
  arc: string | null
}

export interface AuthenticationsToWrite {
  kind: 'authenticated'
  authentications: AuthenticationToWrite[]
  /** Milliseconds since 1970. */
  now: number
}

/** Writes the mail that other threads have parsed, and what follows: changes that are there at the same time share a commit. */
runDatabaseThread<MailsToWrite | AuthenticationsToWrite>(({ data: { sharedSources }, db, settle }) => {
  const finishing = withReserve(db)

  function publishAll({ messages, results, parsed, bytes }: MailsToWrite) {
    const contents = deserialize(parsed) as (ParsedMessage | null)[]
    const known = JSON.parse(results) as (Authentication | null)[]
    const mails = JSON.parse(messages) as IncomingMail[]
    const sources = sourcesOf(mails, sharedSources!, bytes)
    for (const [i, mail] of mails.entries()) {
      const content = contents[i]
      if (!content) continue
      const source = sources[i]!
      const { records, claim } = mail
      void settle(mail.id, mail.receivedAt, () => inTransaction(db, async (tx) => {
        const claimed = await publish(tx, mail, content, { source, results: known[i], claim })
        if (records) await insertChangeRecords(tx, records)
        return claimed
      }, { mayInterleave: true }))
    }
  }

  function completeAll({ authentications, now }: AuthenticationsToWrite) {
    for (const { claim, messageId, results, arc } of authentications) {
      void settle(claim.id, now, () => inTransaction(finishing, async (tx) => {
        await recordAuthentication(tx, messageId, results, arc)
        await completeJob(tx, claim)
      }, { mayInterleave: true }))
    }
  }

  return {
    work(changes) {
      if (changes.kind === 'publish') publishAll(changes)
      else completeAll(changes)
    },
  }
})
