import { randomInt } from 'node:crypto'
import { timestamp } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { App, Caller, Services } from '../context.ts'
import type { Address, AddressCreate, AddressCreated, AddressForwarding, AddressUpdate } from '../contract/types.gen.ts'
import { conflict, invalidRequest, missingScope, notFound, notVerified } from '../errors.ts'
import { domainOf, inLowerCase, postmaster } from '../mailbox.ts'
import { countActive, findAddressInTx, findExpiry, insertAddress, markAddressExpired, removeAddress } from '../store/addresses/addresses.ts'
import { endCatchAll, lockVerifiedDomainForShare } from '../store/addresses/domains.ts'
import { removeRuleOf, putRule } from '../store/addresses/forwarding-rules.ts'
import { setSenderLists } from '../store/addresses/sender-lists.ts'
import type { SenderLists } from '../store/addresses/sender-lists.ts'
import type { Tx } from '../store/database.ts'
import { emit } from '../store/events/outbox.ts'
import { enqueue, enqueueOnce } from '../store/jobs/jobs.ts'
import { removeMailboxCounts } from '../store/mail/email-counts.ts'
import { emptyMailbox, removeBeyondMax } from '../store/mail/email-removal.ts'
import { unbound } from '../store/owner.ts'
import type { Bound, Owner, Tenant } from '../store/schema/values.ts'
import { findOwnerAccount } from './accounts.ts'
import { firstCursor } from './cursors.ts'
import { verifiedForwardingAddress } from './forwarding-addresses.ts'
import { maxLifetimeSeconds } from './plans.ts'
import { senderListsOf } from './sender-lists.ts'
import { createSmtpLogin } from './smtp-logins.ts'

/**
 * Issues an address that receives mail until it expires.
 * @param input.expiresIn lifetime in seconds, 60 up to the plan's maximum, which is also the default
 * @throws AppError `INVALID_REQUEST` above the plan's maximum, `CONFLICT` when the address is taken or reserved, `NOT_VERIFIED` when
 * the domain is not the caller's, `NOT_FOUND` or `NOT_VERIFIED` when mail cannot be forwarded there, `MISSING_SCOPE` outside its bound
 * @see spec "POST /api/v1/addresses"
 */
export async function createAddress(tx: Tx, app: Services, caller: Caller, input: AddressCreate): Promise<AddressCreated> {
  app.intake.prepare()
  const lifetimeSeconds = lifetimeOf(caller, input.expiresIn)
  const { bound } = caller
  const alias = input.alias?.toLowerCase() ?? `${bound?.aliasPrefix ?? ''}${randomAlias()}`
  const { domain, domainId } = await domainFor(app, tx, caller, input.domain ?? domainIn(bound, app.config))
  if (bound) await refuseOutside(tx, { ...caller, bound }, alias, domain)
  const address = `${alias}@${domain}`
  const isOfOperator = domainId === null && (isReserved(app.config, alias) || alias === app.config.catchAll
    && caller.accountId !== await findOwnerAccount({ db: tx, config: app.config }))
  if (isOfOperator) throw unavailable(address, 'reserved for the operator of this server')
  const created = await issueAddress(tx, caller, {
    alias, domain, domainId, lifetimeSeconds, maxEmails: input.maxEmails,
    senders: input.allowedSenders || input.blockedSenders ? senderListsOf(input) : undefined,
  })
  if (!created) throw unavailable(address, 'taken')
  const forwarding = input.forwardToId ? await forwardAll(tx, caller, created.id, input.forwardToId) : null
  const smtp = input.smtpLogin ? await createSmtpLogin(tx, app, caller, created.id) : null
  return { ...created, hasSmtpLogin: smtp !== null, forwarding, smtp, cursor: firstCursor }
}

/** The domain of a new address for which none is given: the default one, unless the caller is bound to others. */
const domainIn = (bound: Bound | undefined, { defaultDomain }: Pick<Config, 'defaultDomain'>): string | undefined =>
  bound?.domains?.includes(defaultDomain) ? undefined : bound?.domains?.[0]

/** @throws AppError `MISSING_SCOPE` for a new address outside the bound of the caller, `CONFLICT` when it may have no more */
async function refuseOutside(tx: Tx, { bound, ...caller }: Caller & { bound: Bound }, alias: string, domain: string): Promise<void> {
  const { addressIds, aliasPrefix = '', domains, maxAddresses } = bound
  if (addressIds) throw missingScope('This key is bound to addresses that are there, and creates none. Use a key without this bound.')
  if (!alias.startsWith(aliasPrefix)) {
    throw missingScope(`body.alias: must begin with ${aliasPrefix}, to which this key is bound. Leave it out for a random one.`)
  }
  if (domains && !domains.includes(domain)) throw missingScope(`body.domain: can be ${domains.join(', ')}, to which this key is bound.`)
  if (maxAddresses !== undefined && await countActive(tx, { ...caller, bound }, maxAddresses) >= maxAddresses) {
    throw conflict(`This key may have ${maxAddresses} active addresses, and has as many. Delete one first.`)
  }
}

/** An address to issue. */
export interface NewMailbox {
  alias: string
  domain: string
  /** The custom domain that it belongs to; null for the default one. */
  domainId: string | null
  lifetimeSeconds: number
  /** Of received emails, the oldest beyond this number are removed. */
  maxEmails?: number | null | undefined
  senders?: Partial<SenderLists> | undefined
}

/** @returns undefined when the name is taken, or reserved for the account that had it */
export async function issueAddress(tx: Tx, owner: Tenant, input: NewMailbox): Promise<Address | undefined> {
  const { alias, domain, lifetimeSeconds, ...members } = input
  const address = `${alias}@${domain}`
  const expiresAt = tx.now + lifetimeSeconds * 1000
  const created = await insertAddress(tx, { owner, address, alias, expiresAt, ...members })
  if (!created) return undefined
  await enqueue(tx, 'expire-address', { addressId: created.id }, { runAt: expiresAt })
  await emit(tx, owner, 'address.created', { addressId: created.id, address, expiresAt: created.expiresAt })
  return created
}

/**
 * Replaces the lists of senders that are given. They hold from the next recipient of a session on, at all nodes.
 * @throws AppError `NOT_FOUND`, `INVALID_REQUEST`
 */
export async function updateAddress(tx: Tx, caller: Caller, id: string, input: AddressUpdate): Promise<Address> {
  const found = await setSenderLists(tx, caller, id, senderListsOf(input)) && await findAddressInTx(tx, caller, id)
  if (!found) throw notFound('address')
  return found
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

/** Marks an address as expired; its mail stays for the retention time. An address that its login has let live on is looked at again. */
export async function expireAddress(app: App, tx: Tx, id: string): Promise<void> {
  const expired = await markAddressExpired(tx, id)
  if (!expired) {
    const expiresAt = await findExpiry(tx, id)
    if (expiresAt !== undefined && expiresAt > tx.now) await enqueue(tx, 'expire-address', { addressId: id }, { runAt: expiresAt })
    return
  }
  const { address, expiresAt } = expired
  await emit(tx, expired, 'address.expired', { addressId: id, address, expiresAt: timestamp(expiresAt) })
  const runAt = expiresAt + app.config.retentionSeconds * 1000
  await enqueue(tx, 'purge-address', { addressId: id, owner: ownerOf(expired) }, { runAt })
}

/** Removes an expired address whose retention time is over, and its mail. */
export async function purgeAddress(tx: Tx, owner: Tenant, id: string): Promise<void> {
  await removeWithMail(tx, unbound(owner), id)
}

/** Maximum emails that one transaction removes, so that it does not block others for long. */
export const maxEmailsAtOnce = 200

/** Removes the emails of a removed address, some at a time. */
export async function purgeMailbox(tx: Tx, addressId: string): Promise<void> {
  if (!await emptyMailbox(tx, addressId, maxEmailsAtOnce)) await enqueue(tx, 'purge-mailbox', { addressId })
  await enqueueOnce(tx, 'purge-messages')
}

/** Removes the oldest received emails of an address beyond its maximum, some at a time. */
export async function trimMailbox(tx: Tx, addressId: string): Promise<void> {
  const { isTrimmed, removed } = await removeBeyondMax(tx, addressId, maxEmailsAtOnce)
  if (!isTrimmed) await enqueue(tx, 'trim-mailbox', { addressId }, { lane: { address: addressId } })
  if (removed > 0) await enqueueOnce(tx, 'purge-messages')
}

const unavailable = (address: string, why: string) =>
  conflict(`${address} is ${why}. Choose another alias, or leave it out for a random one.`)

async function removeWithMail(tx: Tx, owner: Owner, id: string) {
  const removed = await removeAddress(tx, owner, id)
  if (!removed) return undefined
  await removeRuleOf(tx, id)
  await endCatchAll(tx, owner, id)
  removeMailboxCounts(tx, owner, id)
  await purgeMailbox(tx, id)
  return { addressId: id, address: removed.address, expiresAt: timestamp(removed.expiresAt) }
}

/** The default domain, or a verified one of the caller. */
async function domainFor({ config }: Services, tx: Tx, caller: Caller, requested: string | undefined) {
  const { defaultDomain } = config
  if (requested === undefined || inLowerCase(requested) === defaultDomain) return { domain: defaultDomain, domainId: null }
  const domain = domainOf(requested)
  const domainId = domain && await lockVerifiedDomainForShare(tx, caller, domain)
  if (domain && domainId) return { domain, domainId }
  throw notVerified(`body.domain: ${requested} is not a verified domain of this account. ` +
    `Leave it out for an address at ${defaultDomain}.`)
}

/** @returns seconds. @throws AppError `INVALID_REQUEST` beyond the maximum of the plan */
export function lifetimeOf(caller: Pick<Caller, 'plan'>, expiresIn: number | undefined) {
  const max = maxLifetimeSeconds[caller.plan]
  if (expiresIn !== undefined && expiresIn > max) {
    throw invalidRequest('body.expiresIn', `must be at most ${max / 3600} hours (${max} seconds), the longest lifetime of the ${caller.plan} plan`)
  }
  return expiresIn ?? max
}

async function forwardAll(tx: Tx, owner: Tenant, addressId: string, forwardToId: string): Promise<AddressForwarding> {
  const { id, email } = await verifiedForwardingAddress(tx, owner, forwardToId.toLowerCase())
  await putRule(tx, addressId, { forwardToId: id, filterSender: null, filterSubject: null, isActive: true })
  return { forwardToId: id, forwardToEmail: email, isActive: true }
}

const ownerOf = ({ accountId, mode }: Tenant): Tenant => ({ accountId, mode })

const adjectives = ('amber brisk calm coral crisp dapper eager fern gentle golden hazel ivory jolly keen lively lucky maple mellow ' +
  'misty noble olive pearl plucky quiet rosy rustic sandy silver snowy solar spry sunny swift teal tidy umber velvet vivid warm zesty').split(' ')
const animals = ('badger bee beetle bison crane cricket dove egret falcon ferret finch firefly fox gecko hare heron ibis jay koala lark ' +
  'lemur lynx marten mayfly mole moth newt otter owl panda quail raven robin seal shrew sparrow swan tern vole wren').split(' ')
/** Without characters that look alike. */
const letters = '23456789abcdefghjkmnpqrstuvwxyz'
const tailLength = 13

/** Aliases of the default domain that belong to its operator, by the source that gives them a meaning. */
const reservedBySource = {
  // by mail to these, certificate authorities prove control over a domain
  'CA/Browser Forum, Baseline Requirements, section 3.2.2.4.4': 'admin administrator hostmaster postmaster webmaster',
  'RFC 2142': 'abuse noc security info marketing sales support hostmaster usenet news webmaster www uucp ftp',
  'formerly accepted by certificate authorities': 'root ssladmin ssladministrator sslwebmaster sysadmin is it mis',
  'addresses of reports: RFC 7489, RFC 8460, RFC 8657': 'dmarc dmarc-reports tls-rpt tls-reports caa iodef',
  'senders of mail systems': 'mailer-daemon daemon mail bounce bounces no-reply do-not-reply nobody mayfly',
  'names that people trust': 'owner operator system sysop staff help helpdesk billing legal privacy cert csirt psirt',
}

/** Roles whose mail is received: RFC 5321, section 4.5.1, and RFC 2142, section 4. */
const receivedRoles = new Set([postmaster, 'abuse'])

export const isReceivedRole = (alias: string): boolean => receivedRoles.has(alias)

/** `ssl-admin` and `web.master` are as good as the names without these characters. */
const plain = (alias: string) => alias.toLowerCase().replaceAll(/[._-]/g, '')

const reserved = new Set(Object.values(reservedBySource).join(' ').split(' ').map(plain))

type Additions = Pick<Config, 'reservedAliases'>

/** All reserved aliases, without dots, hyphens and underscores. */
export const reservedNames = ({ reservedAliases }: Additions): string[] => [...reserved, ...reservedAliases.map(plain)]

/** Whether no account may have this alias at the default domain. */
const isReserved = ({ reservedAliases }: Additions, alias: string): boolean =>
  reserved.has(plain(alias)) || reservedAliases.some((name) => plain(name) === plain(alias))

/** A readable alias; its tail alone has more than 64 random bits, so it cannot be guessed. */
export function randomAlias(): string {
  const tail = Array.from({ length: tailLength }, () => letters[randomInt(letters.length)]).join('')
  return `${pick(adjectives)}-${pick(animals)}-${tail}`
}

const pick = (words: string[]) => words[randomInt(words.length)]
