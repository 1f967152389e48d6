import { createHash } from 'node:crypto'
import { sql as raw } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { RemovalBatch } from '../page.ts'

const made: unique symbol = Symbol('receipt')

/** The result of counting a mail. Storing a delivery requires one, so no delivery is stored uncounted. Only this file creates it. */
export interface MailReceipt {
  isCounted: boolean
  [made]: true
}

/** For mail that stays here as far as is known, or waits: it is counted when it is about to leave. */
export const countedLater: MailReceipt = { isCounted: false, [made]: true }

/** The mails of a counter in a window of time that has not ended. */
export interface MailCount {
  mails: number
  /** Milliseconds since 1970. */
  endsAt: number
}

/** @returns the counts by name; none for a window that has ended */
export async function readMailCounts(db: Database | Tx, names: string[], now: number): Promise<Map<string, MailCount>> {
  const rows = await db.sql.selectFrom('mail_counts').select(['name', 'mails', 'ends_at as endsAt'])
    .where('name', 'in', names.map(digestOf)).where('ends_at', '>', now).execute()
  const counts = new Map(rows.map(({ name, ...count }) => [name, count]))
  return new Map(names.flatMap((name) => {
    const count = counts.get(digestOf(name))
    return count ? [[name, count] as const] : []
  }))
}

/** Adds a mail to counters. @param counters with the length of their windows, which begin with their first mail */
export async function addMail(tx: Tx, counters: { name: string, windowMs: number }[]): Promise<MailReceipt> {
  await tx.sql.insertInto('mail_counts').values(counters.map(({ name, windowMs }) => ({ name: digestOf(name), ends_at: tx.now + windowMs, mails: 1 })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet({
      mails: raw<number>`case when mail_counts.ends_at > ${tx.now} then mail_counts.mails + 1 else 1 end`,
      ends_at: raw<number>`case when mail_counts.ends_at > ${tx.now} then mail_counts.ends_at else excluded.ends_at end`,
    })).execute()
  return { isCounted: true, [made]: true }
}

/** The names of counters as they are stored. */
export const storedNames = (names: string[]): string[] => names.map(digestOf)

/** Names are stored as SHA-256, since they have addresses of others, and a counter outlives its deleted account by a day. */
const digestOf = (name: string) => createHash('sha256').update(name).digest('base64url')

/** Removes some counters whose windows ended before a time. @returns how many */
export async function removeEndedCounts(tx: Tx, { before, limit }: RemovalBatch): Promise<number> {
  const { numDeletedRows } = await tx.sql.deleteFrom('mail_counts')
    .where('name', 'in', (from) => from.selectFrom('mail_counts').select('name').where('ends_at', '<=', before).orderBy('ends_at').limit(limit))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
