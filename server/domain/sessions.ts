import type { App, Caller } from '../context.ts'
import type { Session, SessionCreate } from '../contract/types.gen.ts'
import { notFound, nothingFound } from '../errors.ts'
import { insertAuditLogs } from '../store/accounts/audit-logs.ts'
import type { AuditEntry } from '../store/accounts/audit-logs.ts'
import { removeSession, removeSessionOf, removeSessions, findSessionHolder, insertSession, toSession } from '../store/accounts/sessions.ts'
import type { SessionHolder } from '../store/accounts/sessions.ts'
import { linkLifetimeMinutes, takeSignInLink } from '../store/accounts/sign-in-links.ts'
import { inTransaction } from '../store/database.ts'
import type { Database, Tx } from '../store/database.ts'
import { allScopes, hashOf } from './api-keys.ts'
import { accountOfLink, isToken, newToken } from './sign-in-links.ts'

/** Maximum sessions of an account; a further one ends the session that has not been used longest. */
const maxSessions = 100

/** A use of a sign-in link. */
export interface SignIn extends SessionCreate {
  /** The cookie of the browser's session, which ends: a session that was planted in the browser cannot be continued (session fixation). */
  replaces: string | undefined
  ipAddress: string
  userAgent: string | null
}

/**
 * Begins a session with the token of a sign-in link, which is used up.
 * @param auditOf makes the record of the sign-in
 * @returns the session, and the value of its cookie, which is not stored
 * @throws AppError `NOT_FOUND` for a link that is unknown, was used or has expired
 */
export async function signIn(
  app: App, { token, replaces, ipAddress, userAgent }: SignIn, auditOf: (caller: Caller, session: Session) => AuditEntry,
): Promise<{ session: Session, cookie: string }> {
  const cookie = newToken()
  return inTransaction(app.db, async (tx) => {
    const email = await takeSignInLink(tx, hashOf(token))
    const account = email === undefined ? undefined : await accountOfLink(app, tx, email)
    if (!account) throw unusableLink()
    if (replaces !== undefined) await removeSessionOf(tx, hashOf(replaces))
    await removeSessions(tx, account.id, maxSessions - 1)
    const row = await insertSession(tx, { accountId: account.id, hash: hashOf(cookie), ipAddress, userAgent })
    const session = toSession(row, row.id)
    const caller = callerOf({ sessionId: row.id, accountId: account.id, plan: account.plan }, 'live')
    await insertAuditLogs(tx, [auditOf(caller, session)])
    return { session, cookie }
  })
}

const unusableLink = () =>
  nothingFound(`This sign-in link is unknown, was used, or is older than ${linkLifetimeMinutes} minutes. Request a new one.`)

/** Ends a session of the caller's account. @throws AppError `NOT_FOUND` */
export async function endSession(tx: Tx, { accountId }: Caller, id: string): Promise<void> {
  if (!await removeSession(tx, accountId, id)) throw notFound('session')
}

/** Ends all sessions of the caller's account. */
export async function endAllSessions(tx: Tx, { accountId }: Caller): Promise<void> {
  await removeSessions(tx, accountId)
}

/** @returns the holder of a session by its cookie; undefined when it is malformed, unknown, ended or expired */
export async function findSession(db: Database, cookie: string): Promise<SessionHolder | undefined> {
  return isToken(cookie) ? findSessionHolder(db, hashOf(cookie)) : undefined
}

/** The caller of a request with a session. */
export const callerOf = ({ sessionId, accountId, plan }: Omit<SessionHolder, 'usedAt'>, mode: Caller['mode']): Caller =>
  ({ accountId, mode, plan, apiKeyId: null, sessionId, scopes: allScopes, dialect: 'primary' })
