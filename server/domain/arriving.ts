import type { App } from '../context.ts'
import type { AcceptedMessage, Arriving } from '../envelope.ts'
import { waitingPayloads } from '../store/jobs/jobs.ts'

/**
 * Emails that were accepted before this start and are not published yet. Where several nodes use the database, there are none: those that
 * wait for a job are found in the database, since any node may publish them.
 */
export async function arrivingAtStart(app: Pick<App, 'db'>): Promise<Arriving> {
  const arriving: Arriving = new Map()
  if (app.db.engine.shared) return arriving
  for (const message of await waitingPayloads(app.db, 'parse-message')) recordArriving(arriving, message)
  return arriving
}

export function recordArriving(arriving: Arriving, { envelope, size }: AcceptedMessage): void {
  for (const { emailId, accountId } of envelope.recipients) arriving.set(emailId, { accountId, bytes: size })
}

export function recordShown(arriving: Arriving, { envelope }: AcceptedMessage): void {
  for (const { emailId } of envelope.recipients) arriving.delete(emailId)
}

/** Records that a mail is stored, and waits for a job. */
export function recordQueued({ arriving, db }: Pick<App, 'arriving' | 'db'>, message: AcceptedMessage): void {
  if (db.engine.shared) recordShown(arriving, message) // its job is counted
}
