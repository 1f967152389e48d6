import type { ForwardingAddress, ForwardingAddressCreate, ForwardingAddressCreated } from '../contract/types.gen.ts'
import type { App, Caller } from '../context.ts'
import { dayMs, minuteMs } from '../durations.ts'
import { alreadyVerified, conflict, invalidRequest, notFound, notVerified, nothingFound, rateLimited } from '../errors.ts'
import type { AppError } from '../errors.ts'
import { parseMailbox } from '../mailbox.ts'
import type { Mailbox } from '../mailbox.ts'
import { readHeadersOnly } from '../mime/read-headers.ts'
import { inTransaction } from '../store/database.ts'
import type { Database, Tx } from '../store/database.ts'
import { mailDeliveriesTo, enqueueMailDelivery, insertMailDelivery } from '../store/outgoing/mail-deliveries.ts'
import {
  deleteForwardingAddress as removeForwardingAddress, findForwardingAddress, insertForwardingAddress, keepForwardingAddress, lockForwardingAddress,
  renewToken,
} from '../store/addresses/forwarding-addresses.ts'
import { deleteRulesTo } from '../store/addresses/forwarding-rules.ts'
import type { Owner } from '../store/owner.ts'
import { isOwnDomain } from './domain-names.ts'
import { insertOwnMessage } from './publishing.ts'
import { oneMailbox } from './sending.ts'
import { newVerificationLink } from './forwarding-verification.ts'
import { writeVerificationMail } from './verification-mail.ts'

/**
 * Adds a forwarding address, and sends the verification mail to it. Mail is forwarded there after the verification.
 * @throws AppError `INVALID_REQUEST` when it is not one address or one of this server, `CONFLICT` when the owner has it already,
 * `RATE_LIMITED` after too many verification mails
 * @see spec "POST /api/v1/forwarding-addresses"
 */
export async function createForwardingAddress(app: App, caller: Caller, input: ForwardingAddressCreate): Promise<ForwardingAddressCreated> {
  const to = oneMailbox('body.email', input.email)
  await refuseOwnDomain(app, to)
  const { token, source } = await writeMail(app, to)
  return inTransaction(app.db, async (tx) => {
    const added = await insertForwardingAddress(tx, caller, { email: to.address, token })
    if (!added) throw conflict(`${to.address} is a forwarding address already.`)
    await refuseTooMany(tx, caller, to.address, tx.now)
    await queueMail(tx, caller, to, source)
    const { id, email, createdAt } = added
    return { id, email, isVerified: false, createdAt }
  })
}

/**
 * Sends the verification mail again, with a new link; the previous link becomes invalid.
 * @returns its recipient
 * @throws AppError `NOT_FOUND`, `ALREADY_VERIFIED`, `RATE_LIMITED` within a minute, and past five in a day
 * @see spec "POST /api/v1/forwarding-addresses/:id/resend-verification"
 */
export async function resendVerification(app: App, caller: Caller, id: string): Promise<string> {
  const to = await mailboxToAsk(app.db, caller, await findForwardingAddress(app.db, caller, id), app.clock.now())
  const { token, source } = await writeMail(app, to)
  return inTransaction(app.db, async (tx) => {
    await mailboxToAsk(tx, caller, await lockForwardingAddress(tx, caller, id), tx.now) // it may have changed meanwhile
    await renewToken(tx, id, token)
    await queueMail(tx, caller, to, source)
    return to.address
  })
}

/**
 * Removes a forwarding address, and the rules that forward to it.
 * @throws AppError `NOT_FOUND`
 * @see spec "DELETE /api/v1/forwarding-addresses/:id"
 */
export function deleteForwardingAddress(app: App, caller: Caller, id: string): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    if (!await removeForwardingAddress(tx, caller, id)) throw notFound('forwarding address')
    await deleteRulesTo(tx, id)
  })
}

/**
 * The address that a rule is to forward to.
 * @throws AppError `NOT_FOUND`, `NOT_VERIFIED`
 */
export async function verifiedForwardingAddress(tx: Tx, owner: Owner, id: string): Promise<ForwardingAddress> {
  const found = await keepForwardingAddress(tx, owner, id)
  if (!found) throw noForwardingAddress()
  if (found.isVerified) return found
  throw notVerified(`forwardToId: ${found.email} is not verified. Follow the link in its verification email first.`)
}

export const noForwardingAddress = (): AppError => nothingFound('forwardToId: there is no forwarding address with this id.')

/** Refuses addresses of this server: forwarding to them would loop. */
async function refuseOwnDomain(app: App, { domain }: Mailbox) {
  if (await isOwnDomain(app, domain)) throw receivedHere(domain)
}

export const receivedHere = (domain: string): AppError =>
  invalidRequest('body.email', `must not be an address at ${domain}, whose mail this server receives`)

async function mailboxToAsk(db: Database | Tx, owner: Owner, found: ForwardingAddress | undefined, now: number): Promise<Mailbox> {
  if (!found) throw notFound('forwarding address')
  if (found.isVerified) throw alreadyVerified('The forwarding address is verified already.')
  await refuseTooMany(db, owner, found.email, now, found)
  return parseMailbox(found.email)!
}

async function writeMail(app: App, to: Mailbox) {
  const { url, token } = newVerificationLink(app)
  return { token, source: await writeVerificationMail(app, to, url) }
}

/** Queues a verification mail. It is in no mailbox, so only its header and, until it is delivered, its source are stored. */
async function queueMail(tx: Tx, owner: Owner, { address: recipient }: Mailbox, source: Buffer) {
  const messageId = await insertOwnMessage(tx, readHeadersOnly(source, null), source)
  const id = await insertMailDelivery(tx, owner, { kind: 'verification', emailId: null, messageId, recipient })
  await enqueueMailDelivery(tx, { id, accountId: owner.accountId, recipient })
}

/** Maximum verification mails to a recipient per day: in all, and without the first one. */
const maxMailsPerDay = { inAll: 6, again: 5 }

/** @param added the forwarding address when it is not the first mail to it; one deleted meanwhile still counts for the day */
async function refuseTooMany(db: Database | Tx, owner: Owner, email: string, now: number, added?: ForwardingAddress) {
  const mails = await mailDeliveriesTo(db, owner, { kind: 'verification', recipient: email, since: now - dayMs })
  const sinceAdded = added ? mails.filter(({ id }) => id > added.id) : []
  // the oldest one is the first mail, no resend, if the address was added within this day
  const resends = added && Date.parse(added.createdAt) > now - dayMs ? sinceAdded.slice(0, -1) : sinceAdded
  const ends = [
    (mails[maxMailsPerDay.inAll - 1]?.createdAt ?? -dayMs) + dayMs,
    (resends[maxMailsPerDay.again - 1]?.createdAt ?? -dayMs) + dayMs,
    (resends[0]?.createdAt ?? -minuteMs) + minuteMs,
  ]
  const waitSeconds = Math.ceil((Math.max(...ends) - now) / 1000)
  if (waitSeconds <= 0) return
  const when = waitSeconds <= 120 ? `${waitSeconds} seconds` : `${Math.ceil(waitSeconds / 60)} minutes`
  throw rateLimited(`${email} was sent enough verification emails for now. Try again in ${when}.`, waitSeconds)
}
