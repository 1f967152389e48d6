import { randomBytes } from 'node:crypto'
import { hourMs, minuteMs } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { App } from '../context.ts'
import { AppError } from '../errors.ts'
import { accountEmail, domainPart, parseMailbox } from '../mailbox.ts'
import { readHeadersOnly } from '../mime/read-message.ts'
import { findAccount, findAccountByEmail, insertAccount } from '../store/accounts/accounts.ts'
import { listMemberships } from '../store/accounts/members.ts'
import type { Joined } from '../store/accounts/members.ts'
import { removeOldLinks, findLinkEmail, insertSignInLink, linkLifetimeMinutes, setLinkHash } from '../store/accounts/sign-in-links.ts'
import { inTransaction } from '../store/database.ts'
import type { Database, Tx } from '../store/database.ts'
import { enqueue } from '../store/jobs/jobs.ts'
import { enqueueMailDelivery, insertMailDelivery } from '../store/outgoing/mail-deliveries.ts'
import { systemOwner } from '../store/owner.ts'
import { hashOf } from './api-keys.ts'
import { isOwnDomain } from './domains.ts'
import { countMail } from './leaving-mail.ts'
import type { CausedMail } from './leaving-mail.ts'
import { insertOwnMessage } from './publishing.ts'
import { oneMailbox } from './sending.ts'
import { writeSignInMail } from './system-mail.ts'

const linkLifetimeMs = linkLifetimeMinutes * minuteMs

/** Links are kept for this time. */
export const linkRetentionMs = hourMs
/** Maximum old links that a request removes. */
const maxRemoved = 10

/**
 * Requests a sign-in link by mail. All of it is the same for every address, so neither the answer nor its time tells whether an account
 * exists (account enumeration): a job decides whether a mail is sent.
 * @throws AppError `INVALID_REQUEST` when it is not one address
 */
export async function requestSignInLink({ db }: App, text: string): Promise<void> {
  const email = oneMailbox('body.email', text).address.toLowerCase()
  await inTransaction(db, async (tx) => {
    await removeOldLinks(tx, { before: oldest(tx), limit: maxRemoved })
    const linkId = await insertSignInLink(tx, { email, hash: null, isRequested: true, expiresAt: tx.now + linkLifetimeMs })
    await enqueue(tx, 'send-sign-in-link', { linkId })
  })
}

/**
 * Writes the mail of a requested link, where its address has an account or may sign up, within the limits of `leaving-mail.ts`. Mail to a
 * domain of this server is not sent: its users issue addresses there, and would receive the links of others.
 * @returns stores the link and queues its mail, in the transaction that completes the job
 */
export async function sendSignInLink(app: App, linkId: string): Promise<(tx: Tx) => Promise<void>> {
  const email = await findLinkEmail(app.db, linkId)
  const to = email === undefined ? undefined : parseMailbox(email)
  if (!to || await isOwnDomain(app, to.domain)) return async () => {}
  const account = await findOpened(app, app.db, to.address)
  if (!account && !maySignUp(app.config, to.address)) return async () => {}
  const mail: CausedMail = { cause: account?.isProven ? 'sign-in' : 'sign-up', owner: systemOwner, recipient: to.address }
  const token = newToken()
  const source = await writeSignInMail(app, to, linkUrl(app.baseUrl(), token), account !== undefined)
  return async (tx) => {
    const receipt = await countMail(app, tx, mail)
    if (receipt instanceof AppError) return // as for an address without an account
    await setLinkHash(tx, linkId, hashOf(token))
    const messageId = await insertOwnMessage(tx, readHeadersOnly(source, null), source)
    const id = await insertMailDelivery(tx, systemOwner, { kind: 'verification', emailId: null, messageId, recipient: to.address }, receipt)
    await enqueueMailDelivery(tx, { id, accountId: systemOwner.accountId, recipient: to.address })
  }
}

/** Makes a link for the operator, who passes it on. @throws AppError `NOT_FOUND` without such an account */
export async function createSignInLink(db: Database, baseUrl: string, account: string): Promise<{ url: string }> {
  const token = newToken()
  await inTransaction(db, async (tx) => {
    await removeOldLinks(tx, { before: oldest(tx), limit: maxRemoved })
    const email = await findMembership(tx, account) ? accountEmail(account)! : (await findAccount(tx, account)).email
    await insertSignInLink(tx, { email, hash: hashOf(token), isRequested: false, expiresAt: tx.now + linkLifetimeMs })
  })
  return { url: linkUrl(baseUrl, token) }
}

/** The account in which a person signs in, which is a new one for an address that may sign up. */
export async function accountOfLink(app: Pick<App, 'config'>, tx: Tx, email: string): Promise<Joined | undefined> {
  const opened = await findOpened(app, tx, email)
  if (opened || !maySignUp(app.config, email)) return opened && { accountId: opened.accountId, email: opened.email }
  const account = await insertAccount(tx, email, 'free', { hasSignedUp: true })
  return { accountId: account.id, email: account.email }
}

/**
 * The account that a link opens: the own one; else one of others. An address that may sign up gets one before it joins an account that it
 * has not opened with a proof of the address: strangers can invite it, and open the link themselves.
 * @returns whether the address is proven: by an account of its own, or by a membership that began with a sign-in link
 */
async function findOpened(
  { config }: Pick<App, 'config'>, at: Database | Tx, email: string,
): Promise<Joined & { isProven: boolean } | undefined> {
  const own = await findAccountByEmail(at, email)
  if (own) return { accountId: own.id, email: own.email, isProven: true }
  const other = await findMembership(at, email)
  if (!other || !other.isProven && maySignUp(config, email)) return undefined
  return { accountId: other.accountId, email, isProven: other.isProven }
}

/** The membership that comes first. */
async function findMembership(at: Database | Tx, text: string) {
  const email = accountEmail(text)
  return email === undefined ? undefined : (await listMemberships(at, email, 1))[0]
}

/** The time from which on links are kept, in milliseconds since 1970. */
const oldest = ({ now }: Tx) => now - linkRetentionMs + 1

const maySignUp = ({ signUp }: Config, email: string) =>
  signUp === 'open' || signUp !== 'closed' && signUp.includes(domainPart(email))

/** The URL of a page with a token in the fragment, which browsers do not send: it is in no log. */
export const urlWithToken = (pageUrl: string, token: string): string => `${pageUrl}#${token}`

export const linkUrl = (baseUrl: string, token: string): string => urlWithToken(`${baseUrl}/sign-in`, token)

/** 256 random bits, for a link or a cookie. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

