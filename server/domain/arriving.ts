import type { App } from '../context.ts'
import type { AcceptedMessage, ArrivingEmail } from '../envelope.ts'
import { waitingPayloads } from '../store/jobs/jobs.ts'

/** Accepted emails that are not published yet, by id. */
export type Arriving = Map<string, ArrivingEmail>

/** Emails that were accepted before this start and are not published yet. */
export async function arrivingAtStart(app: Pick<App, 'db'>): Promise<Arriving> {
  const arriving: Arriving = new Map()
  for (const message of await waitingPayloads(app.db, 'parse-message')) recordArriving(arriving, message)
  return arriving
}

export function recordArriving(arriving: Arriving, { envelope, size }: AcceptedMessage): void {
  for (const { emailId, addressId, accountId } of envelope.recipients) arriving.set(emailId, { addressId, accountId, bytes: size })
}

export function recordShown(arriving: Arriving, { envelope }: AcceptedMessage): void {
  for (const { emailId } of envelope.recipients) arriving.delete(emailId)
}

/**
 * A cursor for the present: an id that sorts before every email that is published from now on, including emails that arrived already
 * and are still being parsed.
 * @param addressId ignores emails of other addresses
 */
export function cursorNow(app: App, addressId?: string): string {
  let cursor = app.db.newId()
  for (const [emailId, email] of app.arriving) {
    if (emailId <= cursor && (addressId === undefined || email.addressId === addressId)) cursor = idBefore(emailId)
  }
  return cursor
}

function idBefore(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
