import { getDomain } from 'tldts'
import { dayMs, hourMs, minuteMs } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { App } from '../context.ts'
import { AppError, planRequired, rateLimited } from '../errors.ts'
import { domainPart } from '../mailbox.ts'
import { findSender } from '../store/accounts/accounts.ts'
import { isVerifiedDomain } from '../store/addresses/domains.ts'
import type { Database, Tx } from '../store/database.ts'
import { addMail, countedLater, readMailCounts } from '../store/outgoing/mail-counts.ts'
import type { MailReceipt } from '../store/outgoing/mail-counts.ts'
import type { MailDelivery } from '../store/outgoing/mail-deliveries.ts'
import { systemOwner } from '../store/owner.ts'
import type { Mode, Tenant } from '../store/schema/values.ts'
import { isDefaultDomain } from './domains.ts'
import { maxMailsPerDay, shareOfNewAccount } from './plans.ts'

/**
 * The ledger of mail that leaves this server for others. Each operation that causes such mail counts it here, in the transaction that
 * queues it. A forward has no caller to refuse, and is counted before its first attempt, as is all mail that was not counted before.
 */

/**
 * A mail of an account, or a link by which the owner of its recipient signs in or up. It is to sign in for an address that has proven
 * itself: strangers can invite any tag of a mailbox.
 */
export interface CausedMail {
  cause: keyof typeof maxMailsPerDay | keyof typeof maxLinksPerHour
  owner: Tenant
  recipient: string
  /** Whether a verification mail is sent again. */
  isRepeated?: boolean
}

/** Maximum verification mails of an account to a recipient in 24 hours: all, and those that repeat one. Captured mail counts too. */
const maxVerificationsPerDay = { inAll: 6, again: 5 }

/** Maximum sign-in links in an hour: to a recipient, where captured mail counts too, to a domain, and of the server. */
const maxLinksPerHour = {
  'sign-in': { recipient: 5, domain: 500, server: 2_000 },
  'sign-up': { recipient: 5, domain: 200, server: 500 },
}

/** The part of the server's mail that all free accounts together may use, so that strangers leave the rest to others. */
const shareOfFreeAccounts = 0.1

/** One lock for all counters: nodes would lock their rows in different orders (deadlock). */
const countersLock = 'mail counts'

interface Limit {
  /** Of its counter. */
  name: string
  /** Maximum mails in a window; 0 where the plan includes none. */
  max: number
  windowMs: number
  /** The sentence for the caller whose mail is refused; '' where the mail is left out without a sign. */
  text: string
}

/**
 * Counts a mail that the transaction queues. Called before the transaction locks anything else: another node that waits for the counters
 * must not hold a lock that this one needs (deadlock). See docs/decisions/0022.
 * @returns the receipt for its delivery; an AppError `RATE_LIMITED` or `PLAN_REQUIRED` that says which limit is reached, and when it ends
 */
export async function countMail(app: Pick<App, 'config'>, tx: Tx, mail: CausedMail): Promise<MailReceipt | AppError> {
  const { limits, isLeaving } = await limitsOf(app, tx, mail, tx.now)
  if (limits.length === 0) return countedLater
  await tx.engine.locks.lockName(tx, countersLock)
  const full = await findFull(tx, limits, tx.now)
  if (full) return errorOf(full)
  const receipt = await addMail(tx, limits)
  return isLeaving ? receipt : countedLater
}

/** As `countMail`, without counting. Called before the transaction, so that a refused mail is not composed. @throws AppError */
export async function checkMail(app: App, mail: CausedMail): Promise<void> {
  const { limits } = await limitsOf(app, app.db, mail, app.clock.now())
  const full = await findFull(app.db, limits, app.clock.now())
  if (full) throw errorOf(full)
}

/** Counts a mail that is about to leave, unless it is counted. @returns why it waits or fails; undefined when it may leave */
export async function countAttempt(
  { config }: App, tx: Tx, { kind, accountId, mode, recipient, isCounted }: MailDelivery,
): Promise<{ kind: 'deferred' | 'refused', reason: string } | undefined> {
  if (isCounted) return undefined
  const cause = accountId === systemOwner.accountId ? 'sign-in' : kind // the row does not have whether it is to sign up
  const limits = await limitsOutside(config, tx, { cause, owner: { accountId, mode }, recipient }, tx.now)
  await tx.engine.locks.lockName(tx, countersLock)
  const full = await findFull(tx, limits, tx.now)
  if (full) return { kind: full.max === 0 ? 'refused' : 'deferred', reason: full.text }
  await addMail(tx, limits)
  return undefined
}

/** The names of the counters that are of an account alone. @param verified the recipients of its verification mails */
export function counterNamesOf(accountId: string, verified: { recipient: string, mode: Mode }[]): string[] {
  const causes = Object.keys(maxMailsPerDay).map((cause) => `${cause} of ${accountId}`)
  return [...causes, ...verified.flatMap(({ recipient, mode }) =>
    limitsEverywhere({ cause: 'verification', owner: { accountId, mode }, recipient, isRepeated: true }).map(({ name }) => name))]
}

/** Whether this server or another cell receives the mail of a recipient, so that it does not leave. */
export const isDeliveredHere = async (config: Config, at: Database | Tx, recipient: string): Promise<boolean> =>
  isDefaultDomain(config, domainPart(recipient)) || await isVerifiedDomain(at, domainPart(recipient))

async function limitsOf({ config }: Pick<App, 'config'>, at: Database | Tx, mail: CausedMail, now: number) {
  const isLeaving = mail.owner.mode === 'live' && config.outbound.kind !== 'capture' && !await isDeliveredHere(config, at, mail.recipient)
  return { isLeaving, limits: [...limitsEverywhere(mail), ...isLeaving ? await limitsOutside(config, at, mail, now) : []] }
}

/** The limits that also hold for captured mail, so that programs under test meet them. */
function limitsEverywhere({ cause, owner, recipient, isRepeated }: CausedMail): Limit[] {
  if (cause === 'sent' || cause === 'forward') return []
  if (cause !== 'verification') {
    // a stranger can ask to sign up with any tag, which must not use up the links of the account's own address
    const counted = cause === 'sign-up' ? mailboxOf(recipient) : recipient.toLowerCase()
    return [{ name: `${cause} link to ${counted}`, max: maxLinksPerHour[cause].recipient, windowMs: hourMs, text: '' }]
  }
  const name = `to ${recipient.toLowerCase()} of ${owner.accountId} ${owner.mode}`
  const { inAll, again } = maxVerificationsPerDay
  const all = { name: `verification ${name}`, max: inAll, windowMs: dayMs, text: `${recipient} gets at most ${inAll} verification emails in 24 hours.` }
  return !isRepeated ? [all] : [
    { name: `again ${name}`, max: again, windowMs: dayMs, text: `${recipient} is sent a verification email again at most ${again} times in 24 hours.` },
    { name: `again at once ${name}`, max: 1, windowMs: minuteMs, text: `${recipient} is sent a verification email again at most once in a minute.` },
    all,
  ]
}

const nouns = { sent: 'mails', forward: 'forwarded mails', verification: 'verification emails' }

/** The limits of mail that leaves this server. */
async function limitsOutside(config: Config, at: Database | Tx, { cause, owner, recipient }: CausedMail, now: number): Promise<Limit[]> {
  const mailDomain = domainPart(mailboxOf(recipient))
  const domain = getDomain(mailDomain) ?? mailDomain
  if (cause === 'sign-in' || cause === 'sign-up') {
    const max = maxLinksPerHour[cause]
    return [
      { name: `${cause} to ${domain}`, max: max.domain, windowMs: hourMs, text: `${domain} gets at most ${max.domain} sign-in links in an hour.` },
      { name: cause, max: max.server, windowMs: hourMs, text: `This server sends at most ${max.server} sign-in links in an hour.` },
    ]
  }
  const { plan, createdAt, hasSignedUp } = await findSender(at, owner.accountId)
  const max = maxMailsPerDay[cause]
  const ofAccount = Math.ceil(max.account[plan] * (hasSignedUp ? shareOfNewAccount(now - createdAt) : 1))
  const [noun, from] = [nouns[cause], `from all accounts of the ${plan} plan`]
  const limit = (name: string, max: number, text: string) => ({ name, max, windowMs: dayMs, text })
  if (cause === 'sent' && plan === 'free' && hasSignedUp && !config.freeSending) return [notInPlan]
  return [
    limit(`${cause} of ${owner.accountId}`, ofAccount, `This account may cause ${ofAccount} ${noun} to other servers in 24 hours.`),
    limit(`${cause} of ${plan} to ${mailboxOf(recipient)}`, max.recipient[plan], `${mailboxOf(recipient)} gets at most ${max.recipient[plan]} ${noun} in 24 hours ${from}.`),
    limit(`${cause} of ${plan} to ${domain}`, max.domain[plan], `${domain} gets at most ${max.domain[plan]} ${noun} in 24 hours ${from}.`),
    ...config.maxDailyMails === 0 ? [] : limitsOfServer(config.maxDailyMails).filter(({ name }) => name === 'server' || name === plan),
  ]
}

const notInPlan: Limit = {
  name: 'sent of free', max: 0, windowMs: dayMs,
  text: 'Mail to other servers is part of the Pro and Business plans; this account has the free plan.',
}

function limitsOfServer(max: number): Limit[] {
  const ofFree = Math.ceil(max * shareOfFreeAccounts)
  return [
    { name: 'free', max: ofFree, windowMs: dayMs, text: `The free accounts of this server send at most ${ofFree} mails in 24 hours together.` },
    { name: 'server', max, windowMs: dayMs, text: `This server sends at most ${max} mails in 24 hours.` },
  ]
}

/** The domains of Gmail, which ignores dots in local parts. */
const gmail = ['gmail.com', 'googlemail.com']

/** The mailbox of a recipient, without the tag and dots by which one mailbox has any number of addresses. */
function mailboxOf(recipient: string): string {
  const [local = ''] = recipient.slice(0, recipient.lastIndexOf('@')).toLowerCase().split('+')
  const domain = domainPart(recipient).toLowerCase()
  return gmail.includes(domain) ? `${local.replaceAll('.', '')}@${gmail[0]}` : `${local}@${domain}`
}

/** @returns the limit that is reached and ends last */
async function findFull(at: Database | Tx, limits: Limit[], now: number): Promise<Limit & { waitMs: number } | undefined> {
  if (limits.length === 0) return undefined
  const counts = await readMailCounts(at, limits.map(({ name }) => name), now)
  return limits.map((limit) => ({ ...limit, waitMs: (counts.get(limit.name)?.endsAt ?? now + limit.windowMs) - now }))
    .filter(({ name, max }) => (counts.get(name)?.mails ?? 0) >= max)
    .toSorted((a, b) => b.waitMs - a.waitMs)[0]
}

/** The error of a limit that is reached, with the time until its window ends. */
function errorOf({ max, text, waitMs }: Limit & { waitMs: number }): AppError {
  if (max === 0) return planRequired(text)
  const seconds = Math.ceil(waitMs / 1000)
  const wait = seconds <= 120 ? `${seconds} seconds` : seconds <= 7_200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3_600)} hours`
  return rateLimited(`${text} Try again in ${wait}.`, seconds)
}
