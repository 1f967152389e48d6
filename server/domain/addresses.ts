import type { Address, AddressCreate, AddressCreated, AddressForwarding } from '../contract/types.gen.ts'
import type { App, Caller, Services } from '../context.ts'
import { conflict, invalidRequest, notFound, notVerified } from '../errors.ts'
import { domainOf, inLowerCase } from '../mailbox.ts'
import { expireAddress as markExpired, insertAddress, removeAddress } from '../store/addresses/addresses.ts'
import type { Tx } from '../store/database.ts'
import { keepVerifiedDomain } from '../store/addresses/domains.ts'
import { forgetMailbox } from '../store/mail/email-counts.ts'
import { emptyMailbox } from '../store/mail/email-removal.ts'
import { deleteRuleOf, putRule } from '../store/addresses/forwarding-rules.ts'
import { enqueue, enqueueOnce } from '../store/jobs/jobs.ts'
import { emit } from '../store/events/outbox.ts'
import type { Owner } from '../store/owner.ts'
import { isReserved, randomAlias } from './aliases.ts'
import { verifiedForwardingAddress } from './forwarding-addresses.ts'
import { maxLifetimeSeconds } from './plans.ts'
import { timestamp } from '../timestamp.ts'

/**
 * Issues an address that receives mail until it expires.
 * @param input.expiresIn lifetime in seconds, 60 up to the plan's maximum, which is also the default
 * @throws AppError `INVALID_REQUEST` above the plan's maximum, `CONFLICT` when the address is taken or reserved, `NOT_VERIFIED` when
 * the domain is not the caller's, `NOT_FOUND` or `NOT_VERIFIED` when mail cannot be forwarded there
 * @see spec "POST /api/v1/addresses"
 */
export async function createAddress(tx: Tx, app: Services, caller: Caller, input: AddressCreate): Promise<AddressCreated> {
  app.intake.prepare()
  const lifetimeSeconds = lifetimeOf(caller, input.expiresIn)
  const alias = input.alias?.toLowerCase() ?? randomAlias()
  const { domain, domainId } = await domainFor(app, tx, caller, input.domain)
  const address = `${alias}@${domain}`
  if (domainId === null && isReserved(app.config, alias)) throw unavailable(address, 'reserved for the operator of this server')
  const created = await issueAddress(tx, caller, { alias, domain, domainId, lifetimeSeconds })
  if (!created) throw unavailable(address, 'taken')
  const forwarding = input.forwardToId ? await forwardAll(tx, caller, created.id, input.forwardToId) : null
  return { ...created, forwarding, cursor: created.id } // ids sort by time, so each of its emails comes after it
}

/** An address to issue. */
export interface NewMailbox {
  alias: string
  domain: string
  /** The custom domain that it belongs to; null for the default one. */
  domainId: string | null
  lifetimeSeconds: number
}

/** @returns undefined when the name is taken, or reserved for the account that had it */
export async function issueAddress(tx: Tx, owner: Owner, input: NewMailbox): Promise<Address | undefined> {
  const { alias, domain, domainId, lifetimeSeconds } = input
  const address = `${alias}@${domain}`
  const expiresAt = tx.now + lifetimeSeconds * 1000
  const created = await insertAddress(tx, { owner, address, alias, expiresAt, domainId })
  if (!created) return undefined
  await enqueue(tx, 'expire-address', { addressId: created.id }, { runAt: expiresAt })
  await emit(tx, owner, 'address.created', { addressId: created.id, address, expiresAt: created.expiresAt })
  return created
}

/**
 * Removes an address and all its mail.
 * @throws AppError `NOT_FOUND`
 * @see spec "DELETE /api/v1/addresses/:id"
 */
export async function deleteAddress(tx: Tx, caller: Caller, id: string): Promise<void> {
  const removed = await removeWithMail(tx, caller, id)
  if (!removed) throw notFound('address')
  await emit(tx, caller, 'address.deleted', removed)
}

/** Marks an address as expired; its mail stays for the retention time. */
export async function expireAddress(app: App, tx: Tx, id: string): Promise<void> {
  const expired = await markExpired(tx, id)
  if (!expired) return
  const { address, expiresAt } = expired
  await emit(tx, expired, 'address.expired', { addressId: id, address, expiresAt: timestamp(expiresAt) })
  const runAt = expiresAt + app.config.retentionSeconds * 1000
  await enqueue(tx, 'purge-address', { addressId: id, owner: ownerOf(expired) }, { runAt })
}

/** Removes an expired address whose retention time is over, and its mail. */
export async function purgeAddress(tx: Tx, owner: Owner, id: string): Promise<void> {
  await removeWithMail(tx, owner, id)
}

/** Maximum emails that one transaction removes, so that it does not block others for long. */
export const maxEmailsAtOnce = 200

/** Removes the emails of a removed address, some at a time. */
export async function purgeMailbox(tx: Tx, addressId: string): Promise<void> {
  if (!await emptyMailbox(tx, addressId, maxEmailsAtOnce)) await enqueue(tx, 'purge-mailbox', { addressId })
  await enqueueOnce(tx, 'purge-messages')
}

const unavailable = (address: string, why: string) =>
  conflict(`${address} is ${why}. Choose another alias, or leave it out for a random one.`)

async function removeWithMail(tx: Tx, owner: Owner, id: string) {
  const removed = await removeAddress(tx, owner, id)
  if (!removed) return undefined
  await deleteRuleOf(tx, id)
  forgetMailbox(tx, owner, id)
  await purgeMailbox(tx, id)
  return { addressId: id, address: removed.address, expiresAt: timestamp(removed.expiresAt) }
}

/** The default domain, or a verified one of the caller. */
async function domainFor({ config }: Services, tx: Tx, caller: Caller, requested: string | undefined) {
  const { defaultDomain } = config
  if (requested === undefined || inLowerCase(requested) === defaultDomain) return { domain: defaultDomain, domainId: null }
  const domain = domainOf(requested)
  const domainId = domain && await keepVerifiedDomain(tx, caller, domain)
  if (domain && domainId) return { domain, domainId }
  throw notVerified(`domain: ${requested} is not a verified domain of this account. ` +
    `Leave it out for an address at ${defaultDomain}.`)
}

/** @returns seconds. @throws AppError `INVALID_REQUEST` beyond the maximum of the plan */
export function lifetimeOf(caller: Pick<Caller, 'plan'>, expiresIn: number | undefined) {
  const max = maxLifetimeSeconds[caller.plan]
  if (expiresIn !== undefined && expiresIn > max) {
    throw invalidRequest('body.expiresIn', `must be <= ${max}, the longest lifetime in seconds of the ${caller.plan} plan`)
  }
  return expiresIn ?? max
}

async function forwardAll(tx: Tx, owner: Owner, addressId: string, forwardToId: string): Promise<AddressForwarding> {
  const { id, email } = await verifiedForwardingAddress(tx, owner, forwardToId.toLowerCase())
  await putRule(tx, addressId, { forwardToId: id, filterSender: null, filterSubject: null, isActive: true })
  return { forwardToId: id, forwardToEmail: email, isActive: true }
}

const ownerOf = ({ accountId, mode }: Owner): Owner => ({ accountId, mode })
