import type { ExpressionBuilder } from 'kysely'
import { timestamp } from '../../clock.ts'
import type { Scope } from '../../contract/types.gen.ts'
import type { DialectName } from '../../dialects/dialects.ts'
import { nothingFound, UnavailableError } from '../../errors.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { hasAccount, isPresentOrHeld, ofAccount } from '../owner.ts'
import { maxCounted } from '../page.ts'
import type { AccountRow, ApiKeyRow } from '../schema/accounts.ts'
import type { Schema } from '../schema/schema.ts'
import type { Bound, Mode, Plan } from '../schema/values.ts'

/** An API key without its value, which is shown once, at creation, and never stored. */
export interface ApiKey {
  id: string
  account: string
  name: string
  mode: Mode
  /** The beginning of its value; null for keys of older versions. */
  prefix: string | null
  scopes: Scope[]
  createdAt: string
  /** To the minute; null for a key that was not used, or last used before version 0.2. */
  lastUsedAt: string | null
  dialect: DialectName
  bounds: Bound | null
  /** From then on it is refused; null for no end. */
  expiresAt: string | null
  /** The key that made it; null for one that a person made. */
  createdByKeyId: string | null
  revokedAt: string | null
}

/** The account, mode and scopes that a key grants access to, and the dialect of its requests that do not name one. */
export interface KeyHolder {
  apiKeyId: string
  sessionId: null
  member: null
  accountId: string
  plan: Plan
  mode: Mode
  scopes: Scope[]
  dialect: DialectName
  bound: Bound | undefined
  /** Milliseconds since 1970; null for no end. It is to be compared with each use. */
  endsAt: number | null
}

export interface NewApiKey {
  accountId: string
  name: string
  hash: string
  prefix?: string
  mode: Mode
  scopes: Scope[]
  /** Default: primary. */
  dialect?: DialectName | undefined
  bounds?: Bound | undefined
  /** Milliseconds since 1970. */
  expiresAt?: number | undefined
  createdByKeyId?: string | null
}

/** A key with the same value of a deleted account is replaced, such as that of MAYFLY_INITIAL_API_KEY. */
export async function insertApiKey(tx: Tx, key: NewApiKey): Promise<ApiKey> {
  const id = tx.newId()
  await tx.sql.deleteFrom('api_keys').where('hash', '=', key.hash).where((row) => row.not(hasAccount('api_keys')(row))).execute()
  await tx.sql.insertInto('api_keys').values({
    id,
    account_id: key.accountId,
    name: key.name,
    hash: key.hash,
    mode: key.mode,
    scopes: JSON.stringify(key.scopes),
    created_at: tx.now,
    revoked_at: null,
    prefix: key.prefix ?? null,
    dialect: key.dialect ?? 'primary',
    bounds: key.bounds ? JSON.stringify(key.bounds) : null,
    expires_at: key.expiresAt ?? null,
    created_by: key.createdByKeyId ?? null,
  }).execute()
  return toApiKey(await selectKeys(tx).where('api_keys.id', '=', id).executeTakeFirstOrThrow())
}

/** Revokes a key, with the keys that it made. @throws AppError `NOT_FOUND`; revoking twice keeps the first time */
export async function markKeyRevoked(tx: Tx, id: string): Promise<ApiKey> {
  const find = () => selectKeys(tx).where('api_keys.id', '=', id).executeTakeFirst()
  const found = await find()
  if (!found) throw nothingFound(`There is no key with the id ${id}. "mayfly key list" shows the ids.`)
  await revokeAccountKey(tx, found.account_id, id)
  return toApiKey((await find())!)
}

export async function listApiKeys(db: Database): Promise<ApiKey[]> {
  return (await selectKeys(db).orderBy('api_keys.id').execute()).map(toApiKey)
}

/** The keys of an account that are valid, newest first. @param ofKey only this one, and those that it made */
export async function listAccountKeys(db: Database, accountId: string, ofKey: string | null): Promise<ApiKey[]> {
  return (await selectKeys(db).$call(ofAccount(accountId)).where(isValid(db.now()))
    .$if(ofKey !== null, (query) => query.where(isOfKey(ofKey!)))
    .orderBy('api_keys.id', 'desc').execute()).map(toApiKey)
}

/** No other transaction counts the valid keys, makes or revokes one until this one ends. @returns at most `limit` */
export async function countAccountKeys(tx: Tx, accountId: string, limit: number): Promise<number> {
  await lockKeysOf(tx, accountId)
  return (await tx.sql.selectFrom('api_keys').select('id').$call(ofAccount(accountId)).where(isValid(tx.now))
    .limit(limit).execute()).length
}

const lockKeysOf = (tx: Tx, accountId: string) => tx.engine.locks.lockName(tx, `api keys/${accountId}`)

/** A valid key. */
export async function findValidKey(tx: Tx, id: string): Promise<Pick<KeyHolder, 'endsAt'> | undefined> {
  return tx.sql.selectFrom('api_keys').select('expires_at as endsAt').where('id', '=', id).where(isValid(tx.now)).executeTakeFirst()
}

/**
 * Revokes a key of an account, with the keys that it made, and those that they made: who has stolen it has none left.
 * @param ofKey if it is this one, or this one made it
 * @returns false when there is no such key, or the key is revoked already
 */
export async function revokeAccountKey(tx: Tx, accountId: string, id: string, ofKey: string | null = null): Promise<boolean> {
  await lockKeysOf(tx, accountId)
  const revoke = () => tx.sql.updateTable('api_keys').set({ revoked_at: tx.now }).$call(ofAccount(accountId)).where('revoked_at', 'is', null)
  const { numUpdatedRows } = await revoke().where('id', '=', id)
    .$if(ofKey !== null, (query) => query.where(isOfKey(ofKey!))).executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) return false
  for (let makers = [id]; makers.length > 0;) {
    makers = (await revoke().where('created_by', 'in', makers).returning('id').execute()).map((made) => made.id)
  }
  return true
}

type Keys = ExpressionBuilder<Schema, 'api_keys'>

const isValid = (now: number) => ({ and, or, eb }: Keys) =>
  and([eb('revoked_at', 'is', null), or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', now)])])

const isOfKey = (id: string) => ({ or, eb }: Keys) => or([eb('api_keys.id', '=', id), eb('created_by', '=', id)])

/** Removes the keys of an account that are revoked or have ended beyond the last ones, some at a time. @param keep those that stay */
export async function removeInvalidKeys(tx: Tx, accountId: string, keep: number): Promise<void> {
  await tx.sql.deleteFrom('api_keys').where('id', 'in', (from) => from.selectFrom('api_keys').select('id')
    .$call(ofAccount(accountId)).where((row) => row.not(isValid(tx.now)(row)))
    .orderBy((row) => row.fn.coalesce('revoked_at', 'expires_at'), 'desc').orderBy('id', 'desc').limit(maxCounted).offset(keep)).execute()
}

/** @param hash SHA-256 of the key's value, in hex @throws UnavailableError */
export async function findKeyHolder(db: Database, hash: string): Promise<KeyHolder | undefined> {
  const row = (await selectByHash(db, { hash })).rows[0]
  if (row?.move) throw new UnavailableError('account')
  return row && {
    apiKeyId: row.id,
    sessionId: null,
    member: null,
    accountId: row.account_id,
    plan: row.plan,
    mode: row.mode,
    scopes: JSON.parse(row.scopes),
    dialect: row.dialect,
    bound: row.bounds === null ? undefined : JSON.parse(row.bounds),
    endsAt: row.expires_at,
  }
}

const selectKeys = (db: Database | Tx) => db.sql.selectFrom('api_keys').where(hasAccount('api_keys'))
  .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
  .leftJoin('api_key_uses', 'api_key_uses.api_key_id', 'api_keys.id')
  .selectAll('api_keys').select(['accounts.email as account', 'api_key_uses.used_at as usedAt'])

const selectByHash = prepared<{ hash: string }, Pick<ApiKeyRow, 'id' | 'account_id' | 'mode' | 'scopes' | 'dialect' | 'bounds' | 'expires_at'> & Pick<AccountRow, 'plan' | 'move'>>((sql, value) =>
  sql.selectFrom('api_keys').innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.id', 'account_id', 'plan', 'move', 'mode', 'scopes', 'dialect', 'bounds', 'expires_at'])
    .where('hash', '=', value('hash')).where('revoked_at', 'is', null).where(isPresentOrHeld))

const toApiKey = (row: ApiKeyRow & { account: string, usedAt: number | null }): ApiKey => ({
  id: row.id,
  account: row.account,
  name: row.name,
  mode: row.mode,
  prefix: row.prefix,
  scopes: JSON.parse(row.scopes),
  createdAt: timestamp(row.created_at),
  lastUsedAt: timestamp(row.usedAt),
  dialect: row.dialect,
  bounds: row.bounds === null ? null : JSON.parse(row.bounds),
  expiresAt: timestamp(row.expires_at),
  createdByKeyId: row.created_by,
  revokedAt: timestamp(row.revoked_at),
})

/** Maximum holders in memory, about 500 bytes each. Unknown keys are not kept, so they cannot displace others. */
const defaultMaxHolders = 10_000

/**
 * Opens the look-up of keys. Holders stay in memory until a key or an account changes, in this process or another: each look-up reads the
 * version of the keys, which is one row, so a revocation holds from its commit on (docs/decisions/0004). Keys are known by their hash
 * alone.
 * @returns a function that finds the holder by the SHA-256 of the key's value, in hex
 */
export function openKeyCache(db: Database, maxHolders = defaultMaxHolders): (hash: string) => Promise<KeyHolder | undefined> {
  const holders = new Map<string, KeyHolder>()
  let version: number | undefined // of all holders in memory
  return async (hash) => {
    const current = (await selectVersion(db, {})).rows[0]!.version
    if (current !== version) {
      holders.clear()
      version = current
    }
    const known = holders.get(hash)
    if (known) return known
    const found = await findKeyHolder(db, hash)
    if (found && current === version) { // otherwise it may be older than the version
      if (holders.size >= maxHolders) holders.delete(holders.keys().next().value!)
      holders.set(hash, found)
    }
    return found
  }
}

const selectVersion = prepared<object, { version: number }>((sql) => sql.selectFrom('api_key_version').select('version'))

/** Records when keys were last used, in milliseconds since 1970. Keys that were deleted meanwhile are left out. */
export async function recordKeyUses(tx: Tx, apiKeyIds: string[], usedAt: number): Promise<void> {
  await tx.sql.insertInto('api_key_uses').columns(['api_key_id', 'used_at'])
    .expression((from) => from.selectFrom('api_keys').select((key) => ['api_keys.id', key.val(usedAt).as('used_at')])
      .where('api_keys.id', 'in', apiKeyIds).orderBy('api_keys.id')) // in one order, against deadlocks
    .onConflict((conflict) => conflict.column('api_key_id').doUpdateSet((use) => ({ used_at: use.ref('excluded.used_at') })))
    .execute()
}
