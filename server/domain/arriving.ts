import type { App } from '../context.ts'
import type { AcceptedMessage, ArrivingEmail } from '../envelope.ts'
import { waitingPayloads } from '../store/jobs.ts'

/** Accepted emails that are not published yet, by id. */
export type Arriving = Map<string, ArrivingEmail>

/** Emails that were accepted before this start and are not published yet. */
export async function arrivingAtStart(app: Pick<App, 'db'>): Promise<Arriving> {
  const arriving: Arriving = new Map()
  for (const message of await waitingPayloads(app.db, 'parse-message')) noteArriving(arriving, message)
  return arriving
}

export function noteArriving(arriving: Arriving, { envelope, size }: AcceptedMessage): void {
  for (const { emailId, addressId, accountId } of envelope.recipients) arriving.set(emailId, { addressId, accountId, bytes: size })
}

export function noteShown(arriving: Arriving, { envelope }: AcceptedMessage): void {
  for (const { emailId } of envelope.recipients) arriving.delete(emailId)
}

/**
 * Marks this moment in the order of arrival: an id that sorts before every email that will be shown from now on,
 * so also before those that arrived already and are still being parsed.
 * @param addressId only emails of this address count
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
