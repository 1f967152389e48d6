import { currentMode } from './mode.ts'

/**
 * The keys of the query cache. Each begins with the noun of the API, so that an event invalidates all queries of a noun, and holds the
 * mode, so that live and test data never mix.
 */
export const keys = {
  account: ['account'],
  addresses: (...rest: unknown[]) => ['addresses', currentMode(), ...rest],
  /** The names of addresses, for choosing one: mail does not change them, as it does `addresses`. */
  addressNames: (...rest: unknown[]) => ['addressNames', currentMode(), ...rest],
  emails: (...rest: unknown[]) => ['emails', currentMode(), ...rest],
  email: (id: string) => ['email', currentMode(), id],
  domains: (...rest: unknown[]) => ['domains', currentMode(), ...rest],
  forwarding: (...rest: unknown[]) => ['forwarding', currentMode(), ...rest],
  webhooks: (...rest: unknown[]) => ['webhooks', currentMode(), ...rest],
  analytics: (...rest: unknown[]) => ['analytics', currentMode(), ...rest],
  auditLogs: (...rest: unknown[]) => ['auditLogs', currentMode(), ...rest],
  apiKeys: ['apiKeys'],
  sessions: ['sessions'],
  shareLinks: (addressId: string) => ['shareLinks', currentMode(), addressId],
  /** By the token of a share link. */
  shared: (token: string, ...rest: unknown[]) => ['shared', token, ...rest],
  members: ['members'],
  memberships: ['memberships'],
  admin: (...rest: unknown[]) => ['admin', ...rest],
}
