import { hash } from 'node:crypto'
import { modeOfApiKey, newApiKey, prefixOfApiKey } from '../api-key-format.ts'
import { minuteMs, secondMs, timestamp } from '../clock.ts'
import type { App, Caller } from '../context.ts'
import type { ApiKeyCreate, ApiKeyCreatedAnswer, Scope, ApiKey as ShownKey } from '../contract/types.gen.ts'
import type { DialectName } from '../dialects/dialects.ts'
import { conflict, invalidApiKey, invalidInput, invalidRequest, missingScope, notFound } from '../errors.ts'
import { domainOf, inLowerCase } from '../mailbox.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import {
  countAccountKeys, findValidKey, insertApiKey, listAccountKeys, markKeyRevoked, openKeyCache, removeInvalidKeys, revokeAccountKey,
} from '../store/accounts/api-keys.ts'
import type { ApiKey, KeyHolder } from '../store/accounts/api-keys.ts'
import { ownAddresses } from '../store/addresses/addresses.ts'
import { lockVerifiedDomainForShare } from '../store/addresses/domains.ts'
import { inTransaction } from '../store/database.ts'
import type { Database, Tx } from '../store/database.ts'
import { unbound } from '../store/owner.ts'
import type { Bound, Mode, Owner, Plan } from '../store/schema/values.ts'
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
  'keys:manage': 'Create, list and revoke keys that can do no more than the key itself',
}

export const allScopes = Object.keys(scopes) as Scope[]
/** Of a key for which none are named: it makes no others, so that revoking a stolen one ends its use. */
const defaultScopes = allScopes.filter((scope) => scope !== 'keys:manage')

export interface ApiKeyInput {
  /** E-mail address or id of the account. */
  account: string
  name: string
  /** Empty for all scopes but `keys:manage`. */
  scopes: string[]
  isTest: boolean
  /** Default: primary. */
  dialect?: DialectName | undefined
  bounds?: Bound | undefined
  /** Of the server, for bounds by domain. */
  defaultDomain?: string | undefined
  /** Seconds after which it ends. */
  expiresIn?: number | undefined
  /** A well-formed key, in place of a new one. */
  value?: string
}

/**
 * Makes an API key. Its value is in the answer and nowhere else: only a hash is stored.
 * @throws AppError `NOT_FOUND` for the account, `INVALID_REQUEST` for a scope, name or bound
 */
export async function createApiKey(db: Database, input: ApiKeyInput): Promise<ApiKey & { key: string, plan: Plan }> {
  const unknown = input.scopes.filter((scope) => !Object.hasOwn(scopes, scope))
  if (unknown.length > 0) {
    throw invalidInput(`There is no scope ${unknown.join(', ')}. Scopes are ${Object.keys(scopes).join(', ')}.`)
  }
  const name = input.name.trim()
  if (!name || name.length > 100) throw invalidInput('A key needs a name of 1 to 100 characters.')
  const granted = (input.scopes.length > 0 ? [...new Set(input.scopes)] : defaultScopes) as Scope[]
  const key = input.value ?? newApiKey(input.isTest ? 'test' : 'live')
  const mode: Mode = modeOfApiKey(key)!
  return inTransaction(db, async (tx) => {
    const account = await findAccount(tx, input.account)
    const bounds = input.bounds && await checkedBounds(tx, input, unbound({ accountId: account.id, mode }), input.bounds)
    const stored = await insertApiKey(tx, {
      accountId: account.id, name, hash: hashOf(key), prefix: prefixOfApiKey(key), mode, scopes: granted, dialect: input.dialect,
      bounds, expiresAt: endAfter(tx, input.expiresIn),
    })
    return { ...stored, key, plan: account.plan }
  })
}

/** Revokes a key; it cannot be restored. @throws AppError `NOT_FOUND` */
export function revokeApiKey(db: Database, id: string): Promise<ApiKey> {
  return inTransaction(db, (tx) => markKeyRevoked(tx, id))
}

/** Maximum valid keys of an account, of those that it makes itself. */
const maxKeys = 100
/** Keys of an account that are revoked or have ended, which the operator can still list. */
const maxInvalidKeys = 100

/** The valid keys of the caller's account, newest first: of a key, itself and those that it made. */
export async function listOwnKeys({ db }: App, { accountId, apiKeyId }: Caller): Promise<ShownKey[]> {
  return (await listAccountKeys(db, accountId, apiKeyId)).map(toShown)
}

/**
 * Makes a key of the caller's account. Without more, it can do what the key can that makes it.
 * @throws AppError `PLAN_REQUIRED`, `INVALID_REQUEST` for a blank name or bounds, `MISSING_SCOPE` for more than the caller can,
 * `CONFLICT` at the maximum, `INVALID_API_KEY` when the key of the caller was revoked meanwhile
 */
export async function createOwnKey(
  tx: Tx, { config }: Pick<App, 'config'>, caller: Caller, input: ApiKeyCreate,
): Promise<ApiKeyCreatedAnswer['data']> {
  const { accountId, apiKeyId, plan } = caller
  requirePlanWithApi('API keys', plan)
  const name = keyName(input)
  if (await countAccountKeys(tx, accountId, maxKeys) >= maxKeys) throw tooManyKeys()
  const maker = apiKeyId === null ? undefined : await findValidKey(tx, apiKeyId)
  if (apiKeyId !== null && !maker) throw invalidApiKey('The API key was revoked, or has ended.')
  const mode = input.mode ?? (maker ? caller.mode : 'live')
  if (maker && mode !== caller.mode) throw beyond('mode', `must be ${caller.mode}, as that of this key`)
  const lacking = input.scopes.find((scope) => !caller.scopes.includes(scope))
  if (lacking) throw beyond('scopes', `can be ${caller.scopes.join(', ')}, which this key has, and not ${lacking}`)
  const expiresAt = endAfter(tx, input.expiresIn) ?? maker?.endsAt ?? undefined
  if (maker?.endsAt && expiresAt! > maker.endsAt) {
    throw beyond('expiresIn', `must end at ${timestamp(maker.endsAt)} at the latest, when this key ends`)
  }
  const bounds = input.bounds ? await checkedBounds(tx, config, { accountId, mode, bound: caller.bound }, input.bounds) : caller.bound
  const key = newApiKey(mode)
  const stored = await insertApiKey(tx, {
    accountId, name, hash: hashOf(key), prefix: prefixOfApiKey(key), mode, scopes: input.scopes, dialect: input.dialect,
    bounds, expiresAt, createdByKeyId: apiKeyId,
  })
  await removeInvalidKeys(tx, accountId, maxInvalidKeys)
  return { ...toShown(stored), key }
}

const endAfter = (tx: Tx, seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : tx.now + seconds * secondMs

/** `MISSING_SCOPE`: the new key would have more rights than the key that creates it. */
const beyond = (member: string, message: string) => missingScope(`body.${member}: ${message}.`)

/**
 * Makes the bounds of a new key from those that are given and those of its maker.
 * @param maker the owner whose addresses it may get
 * @throws AppError `INVALID_REQUEST`, `MISSING_SCOPE` beyond those of the maker
 */
async function checkedBounds(tx: Tx, { defaultDomain }: Pick<ApiKeyInput, 'defaultDomain'>, maker: Owner, given: Bound): Promise<Bound> {
  const own = maker.bound ?? {}
  if (given.addressIds) {
    if (given.maxAddresses !== undefined) throw maxWithoutAddresses()
    const addressIds = given.addressIds.map((id) => id.toLowerCase())
    const found = new Set(await ownAddresses(tx, maker, addressIds))
    const missing = addressIds.find((id) => !found.has(id))
    if (missing) throw invalidRequest('body.bounds.addressIds', `has ${missing}, which is no address that this key may use`)
    return { ...given, addressIds, ...given.domains && { domains: await checkedDomains(tx, maker, given.domains, defaultDomain) } }
  }
  if (own.addressIds) throw beyond('bounds.addressIds', 'must be some of the addresses to which this key is bound')
  const domains = given.domains ? await checkedDomains(tx, maker, given.domains, defaultDomain) : own.domains
  const { aliasPrefix = own.aliasPrefix, maxAddresses = own.maxAddresses } = given
  if (own.aliasPrefix && !aliasPrefix!.startsWith(own.aliasPrefix)) {
    throw beyond('bounds.aliasPrefix', `must begin with ${own.aliasPrefix}, to which this key is bound`)
  }
  const foreign = own.domains && domains!.find((domain) => !own.domains!.includes(domain))
  if (foreign) throw beyond('bounds.domains', `can be ${own.domains!.join(', ')}, to which this key is bound, and not ${foreign}`)
  if (maxAddresses !== undefined && aliasPrefix === undefined && domains === undefined) throw maxWithoutAddresses()
  if (own.maxAddresses !== undefined) {
    // its keys count the same addresses: each of several narrower ones could have as many
    const mustBe = (value = 'left out') => `must be ${value}, as for this key: its maximum counts the addresses of all keys that it makes`
    if (aliasPrefix !== own.aliasPrefix) throw beyond('bounds.aliasPrefix', mustBe(own.aliasPrefix))
    if (domains?.length !== own.domains?.length) throw beyond('bounds.domains', mustBe(own.domains?.join(', ')))
    if (maxAddresses! > own.maxAddresses) throw beyond('bounds.maxAddresses', `must be at most ${own.maxAddresses}, as this key may have no more`)
  }
  return {
    ...aliasPrefix !== undefined && { aliasPrefix }, ...domains !== undefined && { domains },
    ...maxAddresses !== undefined && { maxAddresses },
  }
}

const maxWithoutAddresses = () =>
  invalidRequest('body.bounds.maxAddresses', 'needs aliasPrefix or domains beside it, and no addressIds: it limits the addresses that a key creates')

/** @returns in lower case, as A-labels */
async function checkedDomains(tx: Tx, maker: Owner, names: string[], defaultDomain: string | undefined): Promise<string[]> {
  const domains = new Set<string>()
  for (const name of names) {
    const domain = inLowerCase(name) === defaultDomain ? defaultDomain : domainOf(name)
    if (!domain || domain !== defaultDomain && !await lockVerifiedDomainForShare(tx, maker, domain)) {
      throw invalidRequest('body.bounds.domains', `has ${name}, which is neither the default domain nor a verified domain of this account`)
    }
    domains.add(domain)
  }
  return [...domains]
}

/** @throws AppError `INVALID_REQUEST` for a blank name */
export function keyName(input: Pick<ApiKeyCreate, 'name'>): string {
  const name = input.name.trim()
  if (name) return name
  throw invalidRequest('body.name', 'must not be blank')
}

/** Revokes a key of the caller's account, with those that it made. @throws AppError `NOT_FOUND` */
export async function revokeOwnKey(tx: Tx, { accountId, apiKeyId }: Caller, id: string): Promise<void> {
  if (!await revokeAccountKey(tx, accountId, id, apiKeyId)) throw notFound('API key')
  await removeInvalidKeys(tx, accountId, maxInvalidKeys)
}

const tooManyKeys = () => conflict(`There are ${maxKeys} API keys already, which is as many as there may be. Revoke one first.`)

const toShown = ({
  id, name, mode, prefix, scopes, createdAt, lastUsedAt, dialect, bounds, expiresAt, createdByKeyId,
}: ApiKey): ShownKey => ({ id, name, mode, prefix, scopes, createdAt, lastUsedAt, dialect, bounds, expiresAt, createdByKeyId })

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
