import { hash } from 'node:crypto'
import { modeOfApiKey, newApiKey, prefixOfApiKey } from '../api-key-format.ts'
import { minuteMs, secondMs } from '../clock.ts'
import type { App, Caller } from '../context.ts'
import type { ApiKeyCreate, ApiKeyCreatedAnswer, Scope, ApiKey as ShownKey } from '../contract/types.gen.ts'
import type { DialectName } from '../dialects/dialects.ts'
import { conflict, invalidInput, invalidRequest, notFound } from '../errors.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import {
  countAccountKeys, removeRevokedKeys, insertApiKey, listAccountKeys, markKeyRevoked, openKeyCache, revokeAccountKey,
} from '../store/accounts/api-keys.ts'
import type { ApiKey, KeyHolder } from '../store/accounts/api-keys.ts'
import { inTransaction } from '../store/database.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Mode, Plan } from '../store/schema/values.ts'
import { requirePlanWithApi } from './plans.ts'

/** The scopes and what they grant, in the order of the documentation. A session has all of them. */
const scopes: Record<Scope, string> = {
  'emails:read': 'Read addresses and emails, attachments included',
  'emails:write': 'Create and delete addresses; send, mark and delete emails',
  'analytics:read': 'Statistics and the audit log',
  'domains:read': 'List custom domains',
  'domains:manage': 'Add, verify and delete custom domains',
  'webhooks:manage': 'Create, list, change and delete webhooks',
  'forwarding:manage': 'Forwarding addresses and forwarding rules',
}

export const allScopes = Object.keys(scopes) as Scope[]

export interface ApiKeyInput {
  /** E-mail address or id of the account. */
  account: string
  name: string
  /** Empty for all scopes. */
  scopes: string[]
  isTest: boolean
  /** Default: primary. */
  dialect?: DialectName | undefined
  /** A well-formed key, in place of a new one. */
  value?: string
}

/**
 * Makes an API key. Its value is in the answer and nowhere else: only a hash is stored.
 * @throws AppError `NOT_FOUND` for the account, `INVALID_REQUEST` for a scope or name
 */
export async function createApiKey(db: Database, input: ApiKeyInput): Promise<ApiKey & { key: string, plan: Plan }> {
  const unknown = input.scopes.filter((scope) => !Object.hasOwn(scopes, scope))
  if (unknown.length > 0) {
    throw invalidInput(`There is no scope ${unknown.join(', ')}. Scopes are ${Object.keys(scopes).join(', ')}.`)
  }
  const name = input.name.trim()
  if (!name || name.length > 100) throw invalidInput('A key needs a name of 1 to 100 characters.')
  const granted = (input.scopes.length > 0 ? [...new Set(input.scopes)] : Object.keys(scopes)) as Scope[]
  const key = input.value ?? newApiKey(input.isTest ? 'test' : 'live')
  const mode: Mode = modeOfApiKey(key)!
  return inTransaction(db, async (tx) => {
    const account = await findAccount(tx, input.account)
    const stored = await insertApiKey(tx, {
      accountId: account.id, name, hash: hashOf(key), prefix: prefixOfApiKey(key), mode, scopes: granted, dialect: input.dialect,
    })
    return { ...stored, key, plan: account.plan }
  })
}

/** Revokes a key; it cannot be restored. @throws AppError `NOT_FOUND` */
export function revokeApiKey(db: Database, id: string): Promise<ApiKey> {
  return inTransaction(db, (tx) => markKeyRevoked(tx, id))
}

/** Maximum keys of an account that are not revoked, of those that it makes itself. */
const maxKeys = 100
/** Revoked keys of an account that the operator can still list. */
const maxRevokedKeys = 100

/** The keys of the caller's account that are not revoked, newest first. */
export async function listOwnKeys({ db }: App, { accountId }: Caller): Promise<ShownKey[]> {
  return (await listAccountKeys(db, accountId)).map(toShown)
}

/**
 * Makes a key of the caller's account.
 * @throws AppError `PLAN_REQUIRED`, `INVALID_REQUEST` for a blank name, `CONFLICT` at the maximum
 */
export async function createOwnKey(tx: Tx, { accountId, plan }: Caller, input: ApiKeyCreate): Promise<ApiKeyCreatedAnswer['data']> {
  requirePlanWithApi('API keys', plan)
  const name = keyName(input)
  const key = newApiKey(input.mode ?? 'live')
  if (await countAccountKeys(tx, accountId, maxKeys) >= maxKeys) throw tooManyKeys()
  const stored = await insertApiKey(tx, {
    accountId, name, hash: hashOf(key), prefix: prefixOfApiKey(key), mode: input.mode ?? 'live', scopes: input.scopes,
    dialect: input.dialect,
  })
  return { ...toShown(stored), key }
}

/** @throws AppError `INVALID_REQUEST` for a blank name */
export function keyName(input: Pick<ApiKeyCreate, 'name'>): string {
  const name = input.name.trim()
  if (name) return name
  throw invalidRequest('body.name', 'must not be blank')
}

/** Revokes a key of the caller's account. @throws AppError `NOT_FOUND` */
export async function revokeOwnKey(tx: Tx, { accountId }: Caller, id: string): Promise<void> {
  if (!await revokeAccountKey(tx, accountId, id)) throw notFound('API key')
  await removeRevokedKeys(tx, accountId, maxRevokedKeys)
}

const tooManyKeys = () => conflict(`There are ${maxKeys} API keys already, which is as many as there may be. Revoke one first.`)

const toShown = ({ id, name, mode, prefix, scopes, createdAt, lastUsedAt, dialect }: ApiKey): ShownKey =>
  ({ id, name, mode, prefix, scopes, createdAt, lastUsedAt, dialect })

/** @returns a function that finds the account and the scopes of a key; undefined when it is malformed, unknown or revoked */
export function openKeyLookup(db: Database): (key: string) => Promise<KeyHolder | undefined> {
  const find = openKeyCache(db)
  return async (key) => modeOfApiKey(key) ? find(hashOf(key)) : undefined
}

/** SHA-256 of a secret, as hexadecimal digits: secrets are stored in no other form. */
export const hashOf = (secret: string): string => hash('sha256', secret, 'hex')

export interface LastUses {
  /** Records that a key or session was used now. It costs a look-up in a map. */
  record(id: string): void
  /** Stores the uses that are not stored yet. */
  close(): Promise<void>
}

/** A use is stored at most once in this time for each id. */
const minIntervalMs = minuteMs
/** Delay after which several uses are stored by one statement, with the time of the first. */
const delayMs = secondMs
/** Maximum ids in memory. */
const maxIds = 10_000

/**
 * Remembers when API keys or sessions were last used, to the minute.
 * @param storeUses stores the time of a use for some ids, in milliseconds since 1970; ids that were deleted meanwhile are left out
 */
export function openLastUses(
  { db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>, storeUses: (tx: Tx, ids: string[], usedAt: number) => Promise<void>,
): LastUses {
  const storedAt = new Map<string, number>()
  const waiting = new Set<string>()
  let firstAt = 0
  let cancelTimer: (() => void) | undefined
  let storing = Promise.resolve()

  function store() {
    cancelTimer?.()
    cancelTimer = undefined
    const ids = [...waiting]
    waiting.clear()
    if (ids.length === 0) return
    const usedAt = firstAt
    storing = storing.then(() => inTransaction(db, (tx) => storeUses(tx, ids, usedAt)))
      .catch((error: unknown) => log.warn({ err: error }, 'the last use of keys and sessions cannot be stored'))
  }

  return {
    record(id) {
      const now = clock.now()
      if (Math.abs(now - (storedAt.get(id) ?? -Infinity)) < minIntervalMs) return
      if (storedAt.size >= maxIds) storedAt.clear()
      storedAt.set(id, now)
      if (waiting.size === 0) firstAt = now
      waiting.add(id)
      cancelTimer ??= clock.at(now + delayMs, store)
    },
    async close() {
      store()
      await storing
    },
  }
}
