import { modeOfApiKey } from '../api-key-format.ts'
import { unnamedAccounts } from '../config/cells.ts'
import type { App, LookedUp } from '../context.ts'
import { isUnavailable } from '../errors.ts'
import { parseRecipient } from '../mailbox.ts'
import { openKeyCache } from '../store/accounts/api-keys.ts'
import { findSessionHolder } from '../store/accounts/sessions.ts'
import { findDomainHolder } from '../store/addresses/domains.ts'
import { findShareHolder } from '../store/addresses/share-links.ts'
import { hashOf } from './api-keys.ts'
import { findRecipientAccount } from './recipients.ts'
import { isToken } from './sign-in-links.ts'

/** Looks up the names of other cells here. */
export type FindAccount = (name: string) => Promise<string | null>

/** @returns a function that finds the account that has a name in this cell; null for none */
export function openAccountLookup(app: App): FindAccount {
  const { db } = app
  const findKey = openKeyCache(db)
  const finders: Record<string, (value: string) => Promise<string | undefined>> = {
    key: async (hash) => (await findKey(hash))?.accountId,
    session: async (hash) => (await findSessionHolder(db, hash, db.now()))?.accountId,
    share: async (hash) => (await findShareHolder(db, hash))?.accountId,
    address: (address) => findRecipientAccount(app, address),
    domain: async (domain) => (await findDomainHolder(db, domain))?.accountId,
  }
  return async (name) => {
    const space = name.indexOf(' ')
    try {
      return await finders[name.slice(0, space)]?.(name.slice(space + 1)) ?? null
    } catch (error) {
      if (isUnavailable('account', error)) return unnamedAccounts.held
      throw error
    }
  }
}

/** The name of an API key, or of the token of a share link; undefined for any other text. No secret leaves the cell, but its hash. */
export function nameOfKey(key: string): LookedUp | undefined {
  if (modeOfApiKey(key)) return `key ${hashOf(key)}`
  return isToken(key) ? `share ${hashOf(key)}` : undefined
}

/** The name of the session of a cookie; undefined for a malformed one. */
export const nameOfSession = (cookie: string): LookedUp | undefined => isToken(cookie) ? `session ${hashOf(cookie)}` : undefined

/** The name of the address of a recipient or a login, without its tag; undefined for a text that is none. */
export function nameOfAddress({ config: { defaultDomain } }: Pick<App, 'config'>, text: string): LookedUp | undefined {
  const path = parseRecipient(text, { defaultDomain, allowsUtf8: true })
  return path && `address ${path.alias}@${path.domain}`
}
