import type { App, Caller } from '../context.ts'
import type { Membership, Session, SessionCreate } from '../contract/types.gen.ts'
import { nothingFound, notFound } from '../errors.ts'
import { findAccountByEmail, findAccountById } from '../store/accounts/accounts.ts'
import type { Account } from '../store/accounts/accounts.ts'
import { insertAuditLogs } from '../store/accounts/audit-logs.ts'
import type { AuditEntry } from '../store/accounts/audit-logs.ts'
import { listMemberships, markJoined, takeInvitation } from '../store/accounts/members.ts'
import type { OtherAccount } from '../store/accounts/members.ts'
import {
  findSessionHolder, insertSession, moveSession, removeSession, removeSessionOf, removeSessions, toSession,
} from '../store/accounts/sessions.ts'
import type { Person, SessionHolder } from '../store/accounts/sessions.ts'
import { linkLifetimeMinutes, takeSignInLink } from '../store/accounts/sign-in-links.ts'
import { inTransaction } from '../store/database.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Role } from '../store/schema/values.ts'
import { allScopes, hashOf } from './api-keys.ts'
import { invitationDays } from './members.ts'
import { accountOfLink, isToken, newToken } from './sign-in-links.ts'

/** Maximum sessions of a person; a further one ends the session that has not been used longest. */
const maxSessions = 100

/** The browser in which a session begins. */
export interface Browser {
  /** The cookie of its session, which ends: a session that was planted in the browser cannot be continued (session fixation). */
  replaces: string | undefined
  ipAddress: string
  userAgent: string | null
}

/** Makes the record of a sign-in. */
type AuditOfSignIn = (caller: Caller, session: Session) => AuditEntry

interface Begun {
  session: Session
  /** The value of its cookie, which is not stored. */
  cookie: string
}

/**
 * Begins a session with the token of a sign-in link or an invitation, which is used up.
 * @throws AppError `NOT_FOUND` for a link that is unknown, was used or has expired
 */
export async function signIn(app: App, { token, ...browser }: SessionCreate & Browser, auditOf: AuditOfSignIn): Promise<Begun> {
  return inTransaction(app.db, async (tx) => {
    const person = await personOfLink(app, tx, token, browser)
    if (!person) throw unusableLink()
    return begin(tx, person, browser, auditOf)
  })
}

/**
 * Begins a session of an address that a sign-in provider has verified.
 * @returns undefined when it has no account and may not sign up
 */
export async function signInAs(app: App, email: string, browser: Browser, auditOf: AuditOfSignIn): Promise<Begun | undefined> {
  return inTransaction(app.db, async (tx) => {
    const account = await accountOfLink(app, tx, email)
    return account && begin(tx, { ...account, isProven: true }, browser, auditOf)
  })
}

/** An invitation proves no address, since those who invite see it, unless the browser has a session of the same person already. */
async function personOfLink(app: App, tx: Tx, token: string, { replaces }: Browser): Promise<Person | undefined> {
  const email = await takeSignInLink(tx, hashOf(token))
  if (email !== undefined) {
    const account = await accountOfLink(app, tx, email)
    return account && { ...account, isProven: true }
  }
  const joined = await takeInvitation(tx, hashOf(token))
  if (!joined) return undefined
  const before = replaces === undefined ? undefined : await findSessionHolder(tx, hashOf(replaces), tx.now)
  return { ...joined, isProven: before?.email === joined.email && before.isProven }
}

async function begin(tx: Tx, person: Person, { replaces, ipAddress, userAgent }: Browser, auditOf: AuditOfSignIn): Promise<Begun> {
  const cookie = newToken()
  if (replaces !== undefined) await removeSessionOf(tx, hashOf(replaces))
  await removeSessions(tx, person, maxSessions - 1)
  await markJoined(tx, person)
  const row = await insertSession(tx, { ...person, hash: hashOf(cookie), ipAddress, userAgent })
  const session = toSession(row, row.id)
  const holder = (await findSessionHolder(tx, hashOf(cookie), tx.now))!
  await insertAuditLogs(tx, [auditOf(callerOf(holder, 'live'), session)])
  return { session, cookie }
}

const unusableLink = () => nothingFound(
  `This link is unknown, was used, or has expired: a sign-in link holds for ${linkLifetimeMinutes} minutes, an invitation for ` +
  `${invitationDays} days. Request a new one.`)

/** The person of a caller with a session. */
export const personOf = ({ accountId, member }: Caller): Person => ({ accountId, email: member!.email, isProven: member!.isProven })

/**
 * The accounts that the session of a caller can show: that of its person, then those of others; without a proof of the address, the one
 * that it shows.
 * @param maxOthers accounts of others
 */
export async function listAccountsOf(at: Database | Tx, { accountId, member }: Caller, maxOthers?: number): Promise<Membership[]> {
  const { email, role, isProven } = member!
  const joined = ({ id, email, plan }: Account, role: Role): OtherAccount => ({ accountId: id, email, plan, role, state: 'joined' })
  if (!isProven) {
    const shown = await findAccountById(at, accountId)
    return shown ? [{ ...joined(shown, role), isCurrent: true }] : []
  }
  const own = await findAccountByEmail(at, email)
  const first = own?.email === email ? [joined(own, 'owner')] : []
  return [...first, ...await listMemberships(at, email, maxOthers)].map(({ accountId: id, email, plan, role, state }) =>
    ({ accountId: id, email, plan, role, state, isCurrent: id === accountId }))
}

/**
 * Has the session show another account of its person.
 * @throws AppError `NOT_FOUND` for an account of which the person is no member, and for any other where an invitation began the session
 */
export async function switchAccount(tx: Tx, caller: Caller, accountId: string): Promise<void> {
  const accounts = await listAccountsOf(tx, caller)
  if (!accounts.some((account) => account.accountId === accountId)) throw notYours(caller)
  await markJoined(tx, { ...personOf(caller), accountId })
  await moveSession(tx, caller.sessionId!, accountId)
}

const notYours = ({ member }: Caller) => nothingFound(member!.isProven
  ? `${member!.email} is no member of an account with this id.`
  : 'This session began with an invitation, and shows that account alone. Sign in with a link by mail to see your other accounts.')

/** Ends a session of the caller's person. @throws AppError `NOT_FOUND` */
export async function endSession(tx: Tx, caller: Caller, id: string): Promise<void> {
  if (!await removeSession(tx, personOf(caller), id)) throw notFound('session')
}

/** Ends all sessions of the caller's person. */
export async function endAllSessions(tx: Tx, caller: Caller): Promise<void> {
  await removeSessions(tx, personOf(caller))
}

/** @returns the holder of a session by its cookie; undefined when it is malformed, unknown, ended or expired */
export async function findSession(db: Database, cookie: string): Promise<SessionHolder | undefined> {
  return isToken(cookie) ? findSessionHolder(db, hashOf(cookie), db.now()) : undefined
}

/** The caller of a request with a session. */
export const callerOf = ({ sessionId, accountId, plan, email, role, isProven }: Omit<SessionHolder, 'usedAt'>, mode: Caller['mode']): Caller =>
  ({ accountId, mode, bound: undefined, plan, apiKeyId: null, sessionId, member: { email, role, isProven }, scopes: allScopes, dialect: 'primary' })
