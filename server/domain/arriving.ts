import type { App } from '../context.ts'
import type { AcceptedMessage, Arriving } from '../envelope.ts'
import { lastIdBefore } from '../ids.ts'
import { waitingPayloads } from '../store/jobs/jobs.ts'
import { cursorMarginMs } from '../store/mail/arrivals.ts'

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
  for (const { emailId, addressId, accountId } of envelope.recipients) arriving.set(emailId, { addressId, accountId, bytes: size })
  arriving.added?.()
}

export function recordShown(arriving: Arriving, { envelope }: AcceptedMessage): void {
  for (const { emailId } of envelope.recipients) arriving.delete(emailId)
}

/** Records that a mail is stored, and waits for a job. */
export function recordQueued({ arriving, db }: Pick<App, 'arriving' | 'db'>, message: AcceptedMessage): void {
  if (db.engine.shared) recordShown(arriving, message) // its job tells all nodes of it
}

/**
 * A cursor for the present: an id that sorts before every email that is published from now on, including emails that arrived already
 * and are still being parsed. With several nodes it is also older than mail of which the others may not have told yet.
 * @param addressId ignores emails of other addresses
 */
export async function cursorNow(app: App, addressId?: string): Promise<string> {
  const { shared } = app.db.engine
  const now = app.clock.now()
  let cursor = app.db.newId()
  for (const [emailId, email] of app.arriving) {
    if (emailId <= cursor && (addressId === undefined || email.addressId === addressId)) cursor = idBefore(emailId)
  }
  if (!shared) return cursor
  await shared.arrivals.settleEnds()
  const { since, emailId } = await shared.arrivals.oldest(app.node.id, addressId ?? '')
  const others = [
    emailId === null ? [] : idBefore(emailId),
    app.clock.isShared ? lastIdBefore(now - cursorMarginMs) : [],
    since === null ? [] : lastIdBefore(since),
  ].flat()
  return others.reduce((least, id) => id < least ? id : least, cursor)
}

function idBefore(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
