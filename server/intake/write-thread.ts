import { deserialize } from 'node:v8'
import type { Authentication } from '../contract/types.gen.ts'
import { recordAuthentication } from '../domain/mail-authentication.ts'
import { publish } from '../domain/publishing.ts'
import type { ParsedMessage } from '../mime/parsed-message.ts'
import { insertChangeRecords } from '../store/accounts/change-records.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import { completeJob } from '../store/jobs.ts'
import { runDatabaseThread } from './database-thread.ts'
import type { IncomingMail, ParsedMails } from './parse-thread.ts'

/** Parsed mails. */
export interface MailsToWrite extends Pick<ParsedMails, 'parsed' | 'bytes'> {
  kind: 'publish'
  /** `IncomingMail[]` as JSON. */
  messages: string
}

/** The results of a job that has authenticated a mail. */
export interface AuthenticationToWrite {
  jobId: string
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
await runDatabaseThread<MailsToWrite | AuthenticationsToWrite>(({ db, settle }) => {
  const finishing = withReserve(db)

  function publishAll({ messages, parsed, bytes }: MailsToWrite) {
    const contents = deserialize(parsed) as (ParsedMessage | null)[]
    let start = 0
    for (const [i, { records, claimsAuthentication, ...message }] of (JSON.parse(messages) as IncomingMail[]).entries()) {
      const source = Buffer.from(bytes.buffer, start, message.size)
      start += message.size
      const content = contents[i]
      if (!content) continue
      void settle(message.id, message.receivedAt, () => inTransaction(db, async (tx) => {
        const claimed = await publish(tx, message, content, { source, claimsAuthentication })
        if (records) await insertChangeRecords(tx, records)
        return claimed
      }))
    }
  }

  function completeAll({ authentications, now }: AuthenticationsToWrite) {
    for (const { jobId, messageId, results, arc } of authentications) {
      void settle(jobId, now, () => inTransaction(finishing, async (tx) => {
        await recordAuthentication(tx, messageId, results, arc)
        await completeJob(tx, jobId)
      }))
    }
  }

  return (work) => {
    if (work.kind === 'publish') publishAll(work)
    else completeAll(work)
  }
})
