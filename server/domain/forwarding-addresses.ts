import { hourMs } from '../clock.ts'
import type { App, Caller } from '../context.ts'
import type { ForwardingAddress, ForwardingAddressCreate, ForwardingAddressCreated } from '../contract/types.gen.ts'
import { alreadyVerified, AppError, conflict, invalidRequest, notFound, nothingFound, notVerified } from '../errors.ts'
import { parseMailbox } from '../mailbox.ts'
import type { Mailbox } from '../mailbox.ts'
import { readHeadersOnly } from '../mime/read-message.ts'
import {
  findByToken, findForwardingAddress, insertForwardingAddress, lockForwardingAddressForShare, lockForwardingAddress, markVerified,
  removeForwardingAddress, renewToken,
} from '../store/addresses/forwarding-addresses.ts'
import type { LinkToken } from '../store/addresses/forwarding-addresses.ts'
import { removeRulesTo } from '../store/addresses/forwarding-rules.ts'
import { inTransaction } from '../store/database.ts'
import type { Tx } from '../store/database.ts'
import { enqueueMailDelivery, insertMailDelivery } from '../store/outgoing/mail-deliveries.ts'
import { unbound } from '../store/owner.ts'

import { hashOf } from './api-keys.ts'
import { isOwnDomain } from './domains.ts'
import { checkMail, countMail } from './leaving-mail.ts'
import type { CausedMail } from './leaving-mail.ts'
import { insertOwnMessage } from './publishing.ts'
import { oneMailbox } from './sending.ts'
import { isToken, newToken } from './sign-in-links.ts'
import { verificationLifetimeHours, writeVerificationMail } from './system-mail.ts'
import type { Tenant } from '../store/schema/values.ts'

/**
 * Writes the verification mail to a new forwarding address. Mail is forwarded there after the verification.
 * @returns a function that adds the address and queues the mail, for the transaction of the request
 * @throws AppError `INVALID_REQUEST` when it is not one address or one of this server, `CONFLICT` when the owner has it already,
 * `RATE_LIMITED` by the ledger of mail that leaves
 * @see spec "POST /api/v1/forwarding-addresses"
 */
export async function createForwardingAddress(
  app: App, caller: Caller, input: ForwardingAddressCreate,
): Promise<(tx: Tx) => Promise<ForwardingAddressCreated>> {
  const to = oneMailbox('body.email', input.email)
  await refuseOwnDomain(app, to)
  const mail = verificationTo(to, caller)
  await checkMail(app, mail)
  const { token, source } = await writeMail(app, to)
  return async (tx) => {
    await queueMail(app, tx, mail, source)
    const added = await insertForwardingAddress(tx, caller, { email: to.address, token })
    if (!added) throw conflict(`${to.address} is a forwarding address already.`)
    const { id, email, createdAt } = added
    return { id, email, isVerified: false, createdAt }
  }
}

/**
 * Writes the verification mail again, with a new link; the previous link becomes invalid.
 * @returns a function that queues the mail and returns its recipient, for the transaction of the request
 * @throws AppError `NOT_FOUND`, `ALREADY_VERIFIED`, `RATE_LIMITED` by the ledger of mail that leaves
 * @see spec "POST /api/v1/forwarding-addresses/:id/resend-verification"
 */
export async function resendVerification(app: App, caller: Caller, id: string): Promise<(tx: Tx) => Promise<string>> {
  const to = pendingRecipient(await findForwardingAddress(app.db, caller, id))
  const mail = { ...verificationTo(to, caller), isRepeated: true }
  await checkMail(app, mail)
  const { token, source } = await writeMail(app, to)
  return async (tx) => {
    await queueMail(app, tx, mail, source)
    pendingRecipient(await lockForwardingAddress(tx, caller, id)) // it may have changed meanwhile
    await renewToken(tx, id, token)
    return to.address
  }
}

/**
 * Removes a forwarding address, and the rules that forward to it.
 * @throws AppError `NOT_FOUND`
 * @see spec "DELETE /api/v1/forwarding-addresses/:id"
 */
export async function deleteForwardingAddress(tx: Tx, caller: Caller, id: string): Promise<void> {
  if (!await removeForwardingAddress(tx, caller, id)) throw notFound('forwarding address')
  await removeRulesTo(tx, id)
}

/**
 * The address that a rule is to forward to.
 * @throws AppError `NOT_FOUND`, `NOT_VERIFIED`
 */
export async function verifiedForwardingAddress(tx: Tx, owner: Tenant, id: string): Promise<ForwardingAddress> {
  const found = await lockForwardingAddressForShare(tx, unbound(owner), id)
  if (!found) throw noForwardingAddress()
  if (found.isVerified) return found
  throw notVerified('body.forwardToId: the forwarding address is not verified. Follow the link in its verification email first.')
}

/** `NOT_FOUND` for the forwarding address of a rule. */
export const noForwardingAddress = (): AppError => nothingFound('body.forwardToId: there is no forwarding address with this id.')

/** Refuses addresses of this server: forwarding to them would loop. */
async function refuseOwnDomain(app: App, { domain }: Mailbox) {
  if (await isOwnDomain(app, domain)) throw receivedHere(domain)
}

export const receivedHere = (domain: string): AppError =>
  invalidRequest('body.email', `must not be an address at ${domain}, whose mail this server receives`)

/** The recipient of a verification mail. @throws AppError `NOT_FOUND`, `ALREADY_VERIFIED` */
function pendingRecipient(found: ForwardingAddress | undefined): Mailbox {
  if (!found) throw notFound('forwarding address')
  if (found.isVerified) throw alreadyVerified('The forwarding address is verified already.')
  return parseMailbox(found.email)!
}

const verificationTo = ({ address }: Mailbox, owner: Tenant): CausedMail => ({ cause: 'verification', owner, recipient: address })

async function writeMail(app: App, to: Mailbox) {
  const { url, token } = newVerificationLink(app)
  return { token, source: await writeVerificationMail(app, to, url) }
}

/** Queues a verification mail or an invitation. It is in no mailbox: only its header and, until it is delivered, its source are stored. */
export async function queueMail(app: Pick<App, 'config'>, tx: Tx, mail: CausedMail, source: Buffer) {
  const receipt = await countMail(app, tx, mail)
  if (receipt instanceof AppError) throw receipt
  const { owner, recipient } = mail
  const messageId = await insertOwnMessage(tx, readHeadersOnly(source, null), source)
  const id = await insertMailDelivery(tx, owner, { kind: 'verification', emailId: null, messageId, recipient }, receipt)
  await enqueueMailDelivery(tx, { id, accountId: owner.accountId, recipient })
}

/** The path of the page on which the owner of a forwarding address verifies it. */
export const verificationPath = '/verify-forwarding'

interface VerificationLink {
  url: string
  token: LinkToken
}

/** A link with 256 random bits. Only the digest of its token is stored. */
function newVerificationLink({ baseUrl, clock }: App): VerificationLink {
  const token = newToken()
  return {
    url: `${baseUrl()}${verificationPath}?token=${token}`,
    token: { hash: hashOf(token), expiresAt: clock.now() + verificationLifetimeHours * hourMs },
  }
}

/** The state of a verification link: `open` can be verified. */
export type LinkState = { kind: 'open' | 'verified' | 'expired', email: string } | { kind: 'unknown' }

/** Reads the state of a link without a change: malware scanners of mail follow its links. */
export async function readLink(app: App, token: string): Promise<LinkState> {
  const linked = isToken(token) ? await findByToken(app.db, hashOf(token)) : undefined
  if (!linked) return { kind: 'unknown' }
  const { email, isVerified, expiresAt } = linked
  return { kind: isVerified ? 'verified' : expiresAt <= app.clock.now() ? 'expired' : 'open', email }
}

/**
 * Verifies the address of a link.
 * @returns whether this call verified it, and the state of the link now
 */
export async function followLink(app: App, token: string): Promise<LinkState & { isNew: boolean }> {
  const isNew = isToken(token) && await inTransaction(app.db, (tx) => markVerified(tx, hashOf(token)))
  return { ...await readLink(app, token), isNew }
}
