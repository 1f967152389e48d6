export type Bit = 0 | 1
export const toBit = (flag: boolean): Bit => flag ? 1 : 0

export type Mode = 'live' | 'test'
export type Plan = 'free' | 'pro' | 'business'

/** The plans that have the API: keys may use it, and webhooks get events. */
export const plansWithApi: readonly Plan[] = ['business']
