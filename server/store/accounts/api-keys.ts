import { timestamp } from '../../clock.ts'
import type { Scope } from '../../contract/types.gen.ts'
import type { DialectName } from '../../dialects/dialects.ts'
import { nothingFound } from '../../errors.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { hasAccount, ofAccount } from '../owner.ts'
import { maxCounted } from '../page.ts'
import type { ApiKeyRow } from '../schema/accounts.ts'
import type { Mode, Plan } from '../schema/values.ts'

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
  }).execute()
  return toApiKey(await selectKeys(tx).where('api_keys.id', '=', id).executeTakeFirstOrThrow())
}

/** @throws AppError `NOT_FOUND`; revoking twice keeps the first time */
export async function markKeyRevoked(tx: Tx, id: string): Promise<ApiKey> {
  await tx.sql.updateTable('api_keys').set({ revoked_at: tx.now })
    .where('id', '=', id).where('revoked_at', 'is', null).execute()
  const row = await selectKeys(tx).where('api_keys.id', '=', id).executeTakeFirst()
  if (!row) throw nothingFound(`There is no key with the id ${id}. "mayfly key list" shows the ids.`)
  return toApiKey(row)
}

export async function listApiKeys(db: Database): Promise<ApiKey[]> {
  return (await selectKeys(db).orderBy('api_keys.id').execute()).map(toApiKey)
}

/** The keys of an account that are not revoked, newest first. */
export async function listAccountKeys(db: Database, accountId: string): Promise<ApiKey[]> {
  return (await selectKeys(db).$call(ofAccount(accountId)).where('revoked_at', 'is', null)
    .orderBy('api_keys.id', 'desc').execute()).map(toApiKey)
}

/** No other transaction counts them until this one ends. @returns at most `limit` */
export async function countAccountKeys(tx: Tx, accountId: string, limit: number): Promise<number> {
  await tx.engine.locks.lockName(tx, `api keys/${accountId}`)
  return (await tx.sql.selectFrom('api_keys').select('id').$call(ofAccount(accountId)).where('revoked_at', 'is', null)
    .limit(limit).execute()).length
}

/** Revokes a key of an account. @returns false when it has no such key, or the key is revoked already */
export async function revokeAccountKey(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql.updateTable('api_keys').set({ revoked_at: tx.now })
    .$call(ofAccount(accountId)).where('id', '=', id).where('revoked_at', 'is', null).executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Removes the revoked keys of an account beyond the last ones, some at a time. @param keep those that stay */
export async function removeRevokedKeys(tx: Tx, accountId: string, keep: number): Promise<void> {
  await tx.sql.deleteFrom('api_keys').where('id', 'in', (from) => from.selectFrom('api_keys').select('id')
    .$call(ofAccount(accountId)).where('revoked_at', 'is not', null)
    .orderBy('revoked_at', 'desc').orderBy('id', 'desc').limit(maxCounted).offset(keep)).execute()
}

/** @param hash SHA-256 of the key's value, in hex */
export async function findKeyHolder(db: Database, hash: string): Promise<KeyHolder | undefined> {
  const row = (await selectByHash(db, { hash })).rows[0]
  return row && {
    apiKeyId: row.id,
    sessionId: null,
    member: null,
    accountId: row.account_id,
    plan: row.plan,
    mode: row.mode,
    scopes: JSON.parse(row.scopes),
    dialect: row.dialect,
  }
}

const selectKeys = (db: Database | Tx) => db.sql.selectFrom('api_keys').where(hasAccount('api_keys'))
  .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
  .leftJoin('api_key_uses', 'api_key_uses.api_key_id', 'api_keys.id')
  .selectAll('api_keys').select(['accounts.email as account', 'api_key_uses.used_at as usedAt'])

const selectByHash = prepared<{ hash: string }, Pick<ApiKeyRow, 'id' | 'account_id' | 'mode' | 'scopes' | 'dialect'> & { plan: Plan }>((sql, value) =>
  sql.selectFrom('api_keys').innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.id', 'account_id', 'plan', 'mode', 'scopes', 'dialect'])
    .where('hash', '=', value('hash')).where('revoked_at', 'is', null).where('accounts.deleted_at', 'is', null))

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
