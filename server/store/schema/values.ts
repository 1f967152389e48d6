export type Bit = 0 | 1
export type Mode = 'live' | 'test'
export type Plan = 'free' | 'pro' | 'business'

/** Of a person in an account, from the one with the most rights to that with the fewest. */
export const roles = ['owner', 'member', 'viewer'] as const
export type Role = typeof roles[number]

/** The plans that have the API: keys may use it, and webhooks get events. */
export const plansWithApi: readonly Plan[] = ['business']

/** The tenant of a row or an event. Test data and live data of an account are separate. */
export interface Tenant {
  accountId: string
  mode: Mode
}

/** A tenant, or the part of its addresses and their mail that a caller may use. */
export interface Owner extends Tenant {
  /** Undefined for all of them. */
  bound: Bound | undefined
}

/** A part of the addresses of an owner: those that meet each of the members that are given. */
export interface Bound {
  addressIds?: string[] | undefined
  /** With which their aliases begin, in lower case. */
  aliasPrefix?: string | undefined
  /** In lower case, as A-labels. */
  domains?: string[] | undefined
  /** The active ones that there may be before no more are issued. */
  maxAddresses?: number | undefined
}

/** By the result of a call, the lowest status, and one above the highest. */
export const statusesOf = { succeeded: [0, 400], refused: [400, 500], failed: [500, 1_000] } as const
