import { publish } from '../domain/publishing.ts'
import type { AcceptedMessage } from '../envelope.ts'
import type { ParsedMessage } from '../mime/parsed-message.ts'
import { readMessage } from '../mime/read-message.ts'
import { insertChangeRecords } from '../store/accounts/change-records.ts'
import type { ChangeRecords } from '../store/accounts/change-records.ts'
import { inTransaction } from '../store/database.ts'
import { runThread } from './thread-main.ts'
import { openParseBudget } from './parse-budget.ts'

/** A mail, and the audit and idempotency records of the API request that created it, which its transaction writes too. */
export type ShortMail = AcceptedMessage & { records?: ChangeRecords | undefined }

/** Short mails, the bytes of their sources concatenated. */
export interface ShortMails {
  /** `ShortMail[]` as JSON, which is passed to a thread faster than objects are. */
  messages: string
  bytes: Uint8Array
}

const budget = openParseBudget()

await runThread<ShortMails>(({ messages, bytes }, { db, settle, timed, decline }) => {
  let start = 0
  for (const { records, ...message } of JSON.parse(messages) as ShortMail[]) {
    const source = Buffer.from(bytes.buffer, start, message.size)
    start += message.size
    const parsed = budget.isSpent(message) ? undefined : timed(() => parse(source), (parseMs) => budget.charge(message, parseMs))
    if (!parsed) {
      decline(message.id)
      continue
    }
    void settle(message.id, message.receivedAt, () => inTransaction(db, async (tx) => {
      await publish(tx, message, parsed, source)
      if (records) await insertChangeRecords(tx, records)
    }))
  }
})

/** @returns undefined when the parser fails: a job then tries again, and can fall back to the header alone */
function parse(source: Buffer): ParsedMessage | undefined {
  try {
    return readMessage(source)
  } catch {
    return undefined
  }
}
