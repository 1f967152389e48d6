import { dayMs, timestamp } from '../../clock.ts'
import type { Session } from '../../contract/types.gen.ts'
import { UnavailableError } from '../../errors.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { isPresentOrHeld, ofAccount } from '../owner.ts'
import { maxCounted } from '../page.ts'
import type { RemovalBatch } from '../page.ts'
import type { AccountRow, SessionRow } from '../schema/accounts.ts'
import type { Plan, Role } from '../schema/values.ts'

/** A session expires this long after its last use. */
export const sessionLifetimeMs = 30 * dayMs

/** The person of a session. */
export interface Person {
  /** The session is of this account. */
  accountId: string
  email: string
  /** False for a session that an invitation began, which others saw: it shows no other account of the person, and no other session. */
  isProven: boolean
}

/** The person of a session, and the account that it grants access to. */
export interface SessionHolder extends Person {
  sessionId: string
  plan: Plan
  role: Role
  /** Milliseconds since 1970. */
  usedAt: number
}

export interface NewSession extends Person {
  /** SHA-256 of the cookie, in hex. */
  hash: string
  ipAddress: string
  userAgent: string | null
}

export async function insertSession(tx: Tx, { accountId, email, isProven, hash, ipAddress, userAgent }: NewSession): Promise<SessionRow> {
  return tx.sql.insertInto('sessions').values({
    id: tx.newId(),
    account_id: accountId,
    hash,
    created_at: tx.now,
    used_at: tx.now,
    expires_at: tx.now + sessionLifetimeMs,
    ip_address: ipAddress,
    user_agent: userAgent,
    email,
    is_proven: isProven ? 1 : 0,
  }).returningAll().executeTakeFirstOrThrow()
}

/**
 * @param hash SHA-256 of the cookie, in hex
 * @returns undefined for a session that is unknown, was ended or has expired, and for a person who is no member any more
 * @throws UnavailableError
 */
export async function findSessionHolder(at: Database | Tx, hash: string, now: number): Promise<SessionHolder | undefined> {
  const row = (await selectByHash(at, { hash, now })).rows[0]
  if (row?.move) throw new UnavailableError('account')
  if (!row) return undefined
  const { sessionId, accountId, plan, usedAt, email } = row
  const role = email === row.ownEmail ? 'owner' : row.role
  return role ? { sessionId, accountId, plan, usedAt, email, role, isProven: row.is_proven === 1 } : undefined
}

/** The sessions of a person that have not expired, the most recently used first. @param currentId that of the request */
export async function listSessions(db: Database, person: Person, currentId: string | null): Promise<Session[]> {
  const rows = await db.sql.selectFrom('sessions').selectAll().$call(ofPerson(person)).where('expires_at', '>', db.now())
    .orderBy('used_at', 'desc').orderBy('id', 'desc').execute()
  return rows.map((row) => toSession(row, currentId))
}

/** Records a use in milliseconds since 1970, which extends the sessions. */
export async function recordSessionUses(tx: Tx, ids: string[], usedAt: number): Promise<void> {
  await tx.sql.updateTable('sessions').set({ used_at: usedAt, expires_at: usedAt + sessionLifetimeMs })
    .where('id', 'in', ids).where('used_at', '<', usedAt).execute()
}

/** Has a session show another account. */
export async function moveSession(tx: Tx, id: string, accountId: string): Promise<void> {
  await tx.sql.updateTable('sessions').set({ account_id: accountId }).where('id', '=', id).execute()
}

/** @returns false when the person has no such session */
export async function removeSession(tx: Tx, person: Person, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom('sessions').$call(ofPerson(person)).where('id', '=', id).executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Removes the session of a cookie, if there is one. @param hash SHA-256 of the cookie, in hex */
export async function removeSessionOf(tx: Tx, hash: string): Promise<void> {
  await tx.sql.deleteFrom('sessions').where('hash', '=', hash).execute()
}

/** @param keep sessions of the person that stay, those that were used last */
export async function removeSessions(tx: Tx, person: Person, keep = 0): Promise<void> {
  await tx.sql.deleteFrom('sessions').where('id', 'in', (from) => from.selectFrom('sessions').select('id').$call(ofPerson(person))
    .orderBy('used_at', 'desc').orderBy('id', 'desc').limit(maxCounted).offset(keep)).execute()
}

/** Removes some expired sessions. @returns how many */
export async function removeExpiredSessions(tx: Tx, { before, limit }: RemovalBatch): Promise<number> {
  const { numDeletedRows } = await tx.sql.deleteFrom('sessions')
    .where('id', 'in', (from) => from.selectFrom('sessions').select('id').where('expires_at', '<=', before).limit(limit))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** The sessions of a person; without a proof of the address, those without one of the account. */
function ofPerson({ accountId, email, isProven }: Person) {
  const ofOne = ofAccount(accountId)
  type Filtered<Query> = Query & { where(column: string, operator: '=', value: string | number): Filtered<Query> }
  return <Query extends object>(query: Query): Query => {
    const all = (query as Filtered<Query>).where('email', '=', email)
    return isProven ? all : ofOne(all.where('is_proven', '=', 0))
  }
}

interface FoundHolder extends Pick<AccountRow, 'move'> {
  sessionId: string
  accountId: string
  plan: Plan
  usedAt: number
  email: string
  is_proven: number
  /** The address of the account. */
  ownEmail: string
  /** Null for a person who is not one of its members. */
  role: Role | null
}

const selectByHash = prepared<{ hash: string, now: number }, FoundHolder>((sql, value) => sql.selectFrom('sessions')
  .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
  .select([
    'sessions.id as sessionId', 'account_id as accountId', 'plan', 'used_at as usedAt', 'sessions.email', 'is_proven',
    'accounts.email as ownEmail', 'move',
  ])
  .select((row) => row.selectFrom('members').select('role').whereRef('members.account_id', '=', 'sessions.account_id')
    .whereRef('members.email', '=', 'sessions.email').as('role'))
  .where('hash', '=', value('hash')).where('expires_at', '>', value('now')).where(isPresentOrHeld))

export const toSession = (row: SessionRow, currentId: string | null): Session => ({
  id: row.id,
  createdAt: timestamp(row.created_at),
  lastUsedAt: timestamp(row.used_at),
  expiresAt: timestamp(row.expires_at),
  ipAddress: row.ip_address,
  userAgent: row.user_agent,
  isCurrent: row.id === currentId,
})
