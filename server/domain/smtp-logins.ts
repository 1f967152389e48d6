import { randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { minuteMs } from '../clock.ts'
import type { App, Caller, Services } from '../context.ts'
import type { SmtpLogin, SmtpLoginServer } from '../contract/types.gen.ts'
import { invalidApiKey, missingScope, notFound } from '../errors.ts'
import { parseRecipient } from '../mailbox.ts'
import { findLogin, recordLogin, setLoginHash } from '../store/addresses/smtp-logins.ts'
import type { LoginHolder } from '../store/addresses/smtp-logins.ts'
import { inTransaction } from '../store/database.ts'
import type { Database, Tx } from '../store/database.ts'
import { hashOf } from './api-keys.ts'
import { maxLifetimeSeconds } from './plans.ts'

/** Random bytes of a password. */
const passwordBytes = 20

/**
 * Makes or replaces the SMTP login of an address. Its password is in the answer and nowhere else: only a hash is stored.
 * @throws AppError `NOT_FOUND`, `MISSING_SCOPE` when the login also reads mail and the caller may not
 */
export async function createSmtpLogin(tx: Tx, app: Services, caller: Caller, addressId: string): Promise<SmtpLogin> {
  if (app.config.compatibleApis.length > 0 && !caller.scopes.includes('emails:read')) {
    throw missingScope('On this server an SMTP login also reads the mail of its address (MAYFLY_COMPATIBLE_APIS): the key needs emails:read, too.')
  }
  const password = `smtp_${randomBytes(passwordBytes).toString('hex')}`
  const username = await setLoginHash(tx, caller, addressId, hashOf(password))
  if (username === undefined) throw notFound('address')
  const { host, port, security } = loginServer(app)
  const user = `${encodeURIComponent(username)}:${password}`
  return { username, password, host, port, security, url: `smtp${security === 'tls' ? 's' : ''}://${user}@${host}:${port}` }
}

/** The server to which programs connect for a login. */
export const loginServer = (app: Pick<Services, 'config' | 'baseUrl' | 'loginPort'>): SmtpLoginServer =>
  ({ host: loginHost(app), ...app.loginPort() })

/** The host to which programs connect for a login. */
export function loginHost({ config: { mxHost, defaultDomain }, baseUrl }: Pick<Services, 'config' | 'baseUrl'>): string {
  const { hostname } = new URL(baseUrl())
  return mxHost === defaultDomain && isLocal(hostname) ? hostname : mxHost
}

const isLocal = (hostname: string) => hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) > 0

/** Ends the SMTP login of an address. @throws AppError `NOT_FOUND` */
export async function deleteSmtpLogin(tx: Tx, caller: Caller, addressId: string): Promise<void> {
  if (await setLoginHash(tx, caller, addressId, null) === undefined) throw notFound('address')
}

/** The address that a program has logged in as. */
export type LoggedIn = Pick<LoginHolder, 'id' | 'accountId' | 'address' | 'hash' | 'hasFaults' | 'hasSenders'>

/** @returns undefined unless the user name is an active address that has a login; whether the password is its own */
export async function logIn(app: App, username: string, password: string): Promise<{ login: LoggedIn, isRight: boolean } | undefined> {
  const login = await findHolder(app, username)
  const isRight = isPasswordOf(login, password)
  if (!login) return undefined
  if (isRight) await recordUse(app, login)
  return { login, isRight }
}

/** As `logIn`, for programs that read: the use is not recorded. @returns undefined unless the password is right */
export async function authenticateLogin(app: App, username: string, password: string): Promise<LoginHolder | undefined> {
  const found = await findHolder(app, username)
  return isPasswordOf(found, password) ? found : undefined
}

/** Compares in constant time, against timing attacks. */
const isPasswordOf = (login: LoginHolder | undefined, password: string) =>
  timingSafeEqual(Buffer.from(hashOf(password)), Buffer.from(login?.hash ?? noHash)) && login !== undefined

/**
 * @returns the login as it is now
 * @throws AppError `INVALID_API_KEY` when it was replaced or ended since the program logged in, or its address has expired
 */
export async function refuseEndedLogin(app: App, { address, hash }: LoggedIn): Promise<LoggedIn> {
  const login = await findOncePerTurn(app, address)
  if (login?.hash !== hash) throw invalidApiKey('The login has ended.')
  return login
}

/** By database: lookups of this turn of the event loop. Sessions share them, since an app may send a hundred recipients at once in each. */
const foundInTurn = new WeakMap<Database, Map<string, Promise<LoginHolder | undefined>>>()

function findOncePerTurn(app: App, address: string): Promise<LoginHolder | undefined> {
  let found = foundInTurn.get(app.db)
  if (!found) {
    foundInTurn.set(app.db, found = new Map())
    setImmediate(() => foundInTurn.delete(app.db))
  }
  const holder = found.get(address) ?? findHolder(app, address)
  found.set(address, holder)
  return holder
}

async function findHolder({ db, config: { defaultDomain } }: App, username: string): Promise<LoginHolder | undefined> {
  const path = parseRecipient(username, { defaultDomain })
  return path && findLogin(db, `${path.alias}@${path.domain}`, path.domain !== defaultDomain)
}

/** Time between two records of the uses of a login: each is a commit. */
const recordIntervalMs = minuteMs

/** Lets the address live on, for the maximum of its plan from now on. */
async function recordUse({ db, clock }: App, { id, lastLoginAt, plan }: LoginHolder): Promise<void> {
  if (lastLoginAt !== null && clock.now() - lastLoginAt < recordIntervalMs) return
  await inTransaction(db, (tx) => recordLogin(tx, id, tx.now + maxLifetimeSeconds[plan] * 1_000))
}

const noHash = hashOf('')
