export type Bit = 0 | 1
export type Mode = 'live' | 'test'
export type Plan = 'free' | 'pro' | 'business'

/** Of a person in an account, from the one with the most rights to that with the fewest. */
export const roles = ['owner', 'member', 'viewer'] as const
export type Role = typeof roles[number]

/** The plans that have the API: keys may use it, and webhooks get events. */
export const plansWithApi: readonly Plan[] = ['business']

/** The tenant of a row, an event or a caller. Test data and live data of an account are separate. */
export interface Owner {
  accountId: string
  mode: Mode
}

/** By the result of a call, the lowest status, and one above the highest. */
export const statusesOf = { succeeded: [0, 400], refused: [400, 500], failed: [500, 1_000] } as const
