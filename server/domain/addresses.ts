import type { AddressCreate, AddressCreated } from '../contract/types.gen.ts'
import type { App, Caller } from '../context.ts'
import { AppError } from '../errors.ts'
import { expireAddress as markExpired, findAddress, insertAddress, removeAddress } from '../store/addresses.ts'
import { inTransaction } from '../store/database.ts'
import type { Tx } from '../store/database.ts'
import { forgetMailbox } from '../store/email-counts.ts'
import { removeEmailsOf } from '../store/emails.ts'
import { enqueue } from '../store/jobs.ts'
import { deleteDiscarded, discardMessagesOf } from '../store/messages.ts'
import { emit } from '../store/outbox.ts'
import type { Owner } from '../store/outbox.ts'
import { randomAlias } from './aliases.ts'
import { longestLifetime } from './plans.ts'
import { timestamp } from '../timestamp.ts'

/**
 * Issues an address that receives mail until it expires.
 * @param wish.expiresIn lifetime in seconds, 60 up to the plan's maximum, which is also the default
 * @throws AppError `INVALID_REQUEST` above the plan's maximum, `CONFLICT` when the address is taken
 * @see spec "POST /api/v1/addresses"
 */
export function createAddress(app: App, caller: Caller, wish: AddressCreate): Promise<AddressCreated> {
  refuseForeignDomain(app, wish.domain)
  const lifetime = lifetimeOf(caller, wish.expiresIn)
  const alias = wish.alias?.toLowerCase() ?? randomAlias()
  const address = `${alias}@${app.config.defaultDomain}`
  return inTransaction(app.db, async (tx) => {
    const forwarding = wish.forwardToId ? await noForwarding() : null
    const expiresAt = tx.now + lifetime * 1000
    const created = await insertAddress(tx, { owner: caller, address, alias, expiresAt })
    if (!created) throw new AppError('CONFLICT', `${address} is taken. Choose another alias, or leave it out for a random one.`)
    await enqueue(tx, 'expire-address', { addressId: created.id }, expiresAt)
    await emit(tx, caller, 'address.created', { addressId: created.id, address, expiresAt: created.expiresAt })
    return { ...created, forwarding }
  })
}

/**
 * Removes an address and all its mail.
 * @throws AppError `NOT_FOUND`
 * @see spec "DELETE /api/v1/addresses/:id"
 */
export function deleteAddress(app: App, caller: Caller, id: string): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    const removed = await removeWithMail(tx, caller, id)
    if (!removed) throw noAddress()
    await emit(tx, caller, 'address.deleted', removed)
  })
}

/** Ends an address whose time has come; its mail stays for the retention time. */
export async function expireAddress(app: App, tx: Tx, id: string): Promise<void> {
  const expired = await markExpired(tx, id)
  if (!expired) return
  const { address, expiresAt } = expired
  await emit(tx, expired, 'address.expired', { addressId: id, address, expiresAt: timestamp(expiresAt) })
  await enqueue(tx, 'purge-address', { addressId: id, owner: ownerOf(expired) }, expiresAt + app.config.retentionSeconds * 1000)
}

/** Removes an expired address whose retention time is over, and its mail. */
export async function purgeAddress(tx: Tx, owner: Owner, id: string): Promise<void> {
  await removeWithMail(tx, owner, id)
}

/** Messages removed in one transaction: it must not hold the database for long. */
const discardedAtOnce = 50

/** Removes messages that no mailbox shows any more, some at a time. */
export async function purgeDiscarded(tx: Tx): Promise<void> {
  if (await deleteDiscarded(tx, discardedAtOnce)) await enqueue(tx, 'purge-messages', {})
}

export const noAddress = () => new AppError('NOT_FOUND', 'There is no address with this id.')

async function removeWithMail(tx: Tx, owner: Owner, id: string) {
  if (!await findAddress(tx, owner, id)) return undefined
  await discardMessagesOf(tx, id)
  await removeEmailsOf(tx, id)
  await forgetMailbox(tx, owner, id)
  const removed = await removeAddress(tx, owner, id)
  await enqueue(tx, 'purge-messages', {})
  return removed && { addressId: id, address: removed.address, expiresAt: timestamp(removed.expiresAt) }
}

function refuseForeignDomain(app: App, domain: string | undefined) {
  if (domain === undefined || domain.toLowerCase() === app.config.defaultDomain) return
  throw new AppError('NOT_VERIFIED', `domain: ${domain} is not a verified domain of this account. ` +
    `Leave it out for an address at ${app.config.defaultDomain}.`)
}

function lifetimeOf(caller: Caller, expiresIn: number | undefined) {
  const longest = longestLifetime[caller.plan]
  if (expiresIn !== undefined && expiresIn > longest) {
    const message = `must be <= ${longest}, the longest lifetime in seconds of the ${caller.plan} plan`
    throw new AppError('INVALID_REQUEST', `body.expiresIn: ${message}.`, [{ path: 'body.expiresIn', message }])
  }
  return expiresIn ?? longest
}

/** Forwarding addresses cannot be made yet, so no id is one. */
async function noForwarding(): Promise<null> {
  throw new AppError('NOT_FOUND', 'forwardToId: there is no forwarding address with this id.')
}

const ownerOf = ({ accountId, mode }: Owner): Owner => ({ accountId, mode })
