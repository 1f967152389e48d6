import { dayMs, timestamp } from '../../clock.ts'
import type { Session } from '../../contract/types.gen.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { ofAccount } from '../owner.ts'
import { maxCounted } from '../page.ts'
import type { RemovalBatch } from '../page.ts'
import type { SessionRow } from '../schema/accounts.ts'
import type { Plan } from '../schema/values.ts'

/** A session expires this long after its last use. */
export const sessionLifetimeMs = 30 * dayMs

/** The account that a session grants access to. */
export interface SessionHolder {
  sessionId: string
  accountId: string
  plan: Plan
  /** Milliseconds since 1970. */
  usedAt: number
}

export interface NewSession {
  accountId: string
  /** SHA-256 of the cookie, in hex. */
  hash: string
  ipAddress: string
  userAgent: string | null
}

export async function insertSession(tx: Tx, { accountId, hash, ipAddress, userAgent }: NewSession): Promise<SessionRow> {
  return tx.sql.insertInto('sessions').values({
    id: tx.newId(),
    account_id: accountId,
    hash,
    created_at: tx.now,
    used_at: tx.now,
    expires_at: tx.now + sessionLifetimeMs,
    ip_address: ipAddress,
    user_agent: userAgent,
  }).returningAll().executeTakeFirstOrThrow()
}

/** @returns undefined for a session that is unknown, was ended or has expired. @param hash SHA-256 of the cookie, in hex */
export async function findSessionHolder(db: Database, hash: string): Promise<SessionHolder | undefined> {
  return (await selectByHash(db, { hash, now: db.now() })).rows[0]
}

/** The sessions of an account that have not expired, the most recently used first. @param currentId that of the request */
export async function listSessions(db: Database, accountId: string, currentId: string | null): Promise<Session[]> {
  const rows = await db.sql.selectFrom('sessions').selectAll().$call(ofAccount(accountId)).where('expires_at', '>', db.now())
    .orderBy('used_at', 'desc').orderBy('id', 'desc').execute()
  return rows.map((row) => toSession(row, currentId))
}

/** Records a use in milliseconds since 1970, which extends the sessions. */
export async function recordSessionUses(tx: Tx, ids: string[], usedAt: number): Promise<void> {
  await tx.sql.updateTable('sessions').set({ used_at: usedAt, expires_at: usedAt + sessionLifetimeMs })
    .where('id', 'in', ids).where('used_at', '<', usedAt).execute()
}

/** @returns false when the account has no such session */
export async function removeSession(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom('sessions').$call(ofAccount(accountId)).where('id', '=', id).executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Removes the session of a cookie, if there is one. @param hash SHA-256 of the cookie, in hex */
export async function removeSessionOf(tx: Tx, hash: string): Promise<void> {
  await tx.sql.deleteFrom('sessions').where('hash', '=', hash).execute()
}

/** @param keep sessions of the account that stay, those that were used last */
export async function removeSessions(tx: Tx, accountId: string, keep = 0): Promise<void> {
  await tx.sql.deleteFrom('sessions').where('id', 'in', (from) => from.selectFrom('sessions').select('id').$call(ofAccount(accountId))
    .orderBy('used_at', 'desc').orderBy('id', 'desc').limit(maxCounted).offset(keep)).execute()
}

/** Removes some expired sessions. @returns how many */
export async function removeExpiredSessions(tx: Tx, { before, limit }: RemovalBatch): Promise<number> {
  const { numDeletedRows } = await tx.sql.deleteFrom('sessions')
    .where('id', 'in', (from) => from.selectFrom('sessions').select('id').where('expires_at', '<=', before).limit(limit))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const selectByHash = prepared<{ hash: string, now: number }, SessionHolder>((sql, value) => sql.selectFrom('sessions')
  .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
  .select(['sessions.id as sessionId', 'account_id as accountId', 'plan', 'used_at as usedAt'])
  .where('hash', '=', value('hash')).where('expires_at', '>', value('now')).where('accounts.deleted_at', 'is', null))

export const toSession = (row: SessionRow, currentId: string | null): Session => ({
  id: row.id,
  createdAt: timestamp(row.created_at),
  lastUsedAt: timestamp(row.used_at),
  expiresAt: timestamp(row.expires_at),
  ipAddress: row.ip_address,
  userAgent: row.user_agent,
  isCurrent: row.id === currentId,
})
