import type { Context } from 'koa'
import { hourMs, minuteMs } from '../../clock.ts'
import type { App, Caller } from '../../context.ts'
import { findOwnerAccount } from '../../domain/accounts.ts'
import { rateLimited } from '../../errors.ts'
import { clientNetworks } from '../../network.ts'
import type { SharedDatabase, WindowCalls } from '../../store/shared-database.ts'
import { isOfOtherOrigin } from '../wire/session-cookie.ts'
import { forgedRequest } from './authenticate.ts'
import type { Call } from './call.ts'

/** Length of a window. Windows are aligned to the clock, so all callers of an account see the same reset. */
export const windowSeconds = 60

/** Number of the window of a time in milliseconds since 1970. */
export const windowAt = (timeMs: number) => Math.floor(timeMs / 1000 / windowSeconds)

/** Maximum counters per window; further callers share one. Limits the memory, since an attacker may use any number of addresses. */
const maxCounters = 100_000

/** Requests per window when `MAYFLY_RATE_LIMIT` is 0: the largest 32-bit integer, so that every client can parse the headers. */
const unlimited = 2_147_483_647

/** The parts of a `Context` that are read to count a request. */
type Counted = Pick<Context, 'ip'> & { res: { setHeader(name: string, value: string): unknown } }

export interface RateLimit {
  /**
   * Counts a request, and sets the three headers. The requests of an account are counted apart for its keys, for the sessions of each
   * member, and for its share links, those without a caller for the networks of the client.
   * @throws AppError `RATE_LIMITED` over the limit
   */
  count(ctx: Counted, caller: Caller | undefined): Promise<void>
  /** Sets the headers of a request that was not counted, since its caller cannot be looked up. */
  setHeaders(ctx: Context): void
}

/** @param kind names the counters: each kind counts separately */
export function rateLimit(app: App, kind = 'requests'): RateLimit {
  const max = app.config.rateLimit || unlimited
  // without a limit there is nothing to share
  const options = { kind, windowMs: windowSeconds * 1000, maxNames: maxCounters }
  const countCall = max < unlimited ? openCounters(app, options) : windowCounters(maxCounters)
  let ownerId: string | undefined // kept once it is found, since refusals have to cost little

  function setHeaders({ res }: Counted, window: number, { limit = max, left = 0 } = {}) {
    res.setHeader('X-RateLimit-Limit', String(limit))
    res.setHeader('X-RateLimit-Remaining', String(Math.max(0, left)))
    res.setHeader('X-RateLimit-Reset', String((window + 1) * windowSeconds))
  }

  /** The account of the operator learns how to lift the limit. */
  async function refusal(caller: Caller | undefined, limit: number, now: number) {
    const waitSeconds = Math.max(1, Math.ceil((windowAt(now) + 1) * windowSeconds - now / 1000))
    const text = `More than ${limit} requests in a minute. Try again in ${waitSeconds} seconds.`
    if (caller) ownerId ??= await findOwnerAccount(app)
    const isOwner = caller !== undefined && caller.accountId === ownerId
    return rateLimited(isOwner ? `${text} MAYFLY_RATE_LIMIT sets this limit; 0 switches it off.` : text, waitSeconds)
  }

  return {
    async count(ctx, caller) {
      const now = app.clock.now()
      const window = windowAt(now)
      // neither the dashboard nor readers of shared inboxes use up the requests of the account's keys
      const limits = caller
        ? [{ name: `${caller.share ? 'shares of ' : caller.member ? `sessions of ${caller.member.email} in ` : ''}${caller.accountId}`, limit: max }]
        : clientNetworks(ctx.ip).map(({ name, factor }) => ({ name, limit: Math.min(unlimited, max * factor) }))
      const counted = await countInTurn(countCall, window, limits).catch((error: unknown) => {
        setHeaders(ctx, window)
        throw error
      })
      setHeaders(ctx, window, counted)
      if (counted.left < 0) throw await refusal(caller, counted.limit, now)
    },
    setHeaders(ctx) {
      if (!ctx.headerSent && !ctx.res.hasHeader('X-RateLimit-Limit')) setHeaders(ctx, windowAt(app.clock.now()))
    },
  }
}

/** Maximum sign-in links that may be requested in an hour: by a client, and by all. */
const maxLinks = { ofClient: 20, ofAll: 2_000 }
/** Maximum networks with a counter of their own; further ones share one. */
const maxNetworks = 100_000

/**
 * Limits sign-in beyond the rate limit.
 * @returns a check that throws AppError `RATE_LIMITED` for the links of a network, and `INVALID_API_KEY` for a page of another origin that
 * would sign its visitor in (login CSRF)
 */
export function signInLimits(app: App): (call: Call) => Promise<void> {
  const { clock, baseUrl } = app
  const count = openCounters(app, { kind: 'sign-in links', windowMs: hourMs, maxNames: maxNetworks })
  return async ({ ctx, operationId }) => {
    if (operationId === 'sessions.create' && isOfOtherOrigin(ctx.req, baseUrl())) throw forgedRequest(baseUrl())
    if (operationId !== 'signInLinks.create') return
    const now = clock.now()
    const hour = Math.floor(now / hourMs)
    const networks = clientNetworks(ctx.ip).map(({ name, factor }) => ({ name, limit: maxLinks.ofClient * factor }))
    const { limit, left } = await countInTurn(count, hour, [...networks, { name: 'all', limit: maxLinks.ofAll }])
    if (left < 0) throw tooManyLinks(limit, (hour + 1) * hourMs - now)
  }
}

const tooManyLinks = (limit: number, waitMs: number) => rateLimited(
  `More than ${limit} sign-in links in an hour. Try again in ${Math.ceil(waitMs / minuteMs)} minutes.`, Math.ceil(waitMs / 1000))

/** Calls by name, counted in windows of time that are aligned to the clock. */
interface CounterOptions {
  /** Distinguishes these counters from others. */
  kind: string
  windowMs: number
  /** Maximum names with a counter of their own in a window; further ones share one, which limits the memory. */
  maxNames: number
}

/**
 * Adds a call in the window of that number.
 * @param limit calls of the name in a window that are allowed; the count beyond it may be too low
 * @returns the count, this call included; a promise where several nodes count together
 */
type CountCall = (window: number, name: string, limit: number) => number | Promise<number>

/** A counter and its limit in each window. */
interface CallLimit {
  name: string
  limit: number
}

/**
 * Adds a call to counters, one after the other up to the first whose limit it exceeds: a refused call does not use up the limits of wider
 * networks, which others share.
 * @returns the limit with the fewest calls left, and these; less than 0 for a call that is refused
 */
export async function countInTurn(count: CountCall, window: number, limits: CallLimit[]): Promise<{ limit: number, left: number }> {
  let fewest = { limit: Infinity, left: Infinity }
  for (const { name, limit } of limits) {
    const left = limit - await count(window, name, limit)
    if (left < fewest.left) fewest = { limit, left }
    if (left < 0) break
  }
  return fewest
}

/** Counts for all nodes that share the database, or in memory for a single process. */
function openCounters({ db, log }: Pick<App, 'db' | 'log'>, options: CounterOptions): CountCall {
  const { shared } = db.engine
  if (!shared) return windowCounters(options.maxNames)
  return sharedCounters(openCallBatch(shared), options, (endedBefore) => {
    shared.removeCalls(endedBefore).catch((error: unknown) => log.warn({ err: error }, 'old counters of calls cannot be removed'))
  })
}

/** Counts calls by name within a window. @returns a function that adds a call and returns the count, this call included */
export function windowCounters(maxNames: number): (window: number, name: string) => number {
  let current: number | undefined
  let counts = new Map<string, number>()
  return (window, name) => {
    if (window !== current) {
      current = window
      counts = new Map()
    }
    const counted = counts.has(name) || counts.size < maxNames ? name : 'others'
    const count = (counts.get(counted) ?? 0) + 1
    counts.set(counted, count)
    return count
  }
}

/** A window that has ended is kept for this time: the time of another node may be a little behind. */
const lifetimeMs = 60_000

function sharedCounters(
  add: AddCall, { kind, windowMs, maxNames }: CounterOptions,
  removeOld: (endedBefore: number) => void,
): CountCall {
  let current: number | undefined
  /** The highest count that is known of each name. */
  let known = new Map<string, number>()
  return (window, name, limit) => {
    if (window !== current) {
      if (current !== undefined) removeOld(window * windowMs - lifetimeMs)
      current = window
      known = new Map()
    }
    const counts = known
    const counted = counts.has(name) || counts.size < maxNames ? name : 'others'
    const count = counts.get(counted) ?? 0
    if (count > limit) return count // without the database: a caller that does not stop must not cost more than its refusal
    counts.set(counted, count)
    return add(`${kind} ${counted}`, (window + 1) * windowMs, () => counts.get(counted)!).then((sum) => {
      counts.set(counted, Math.max(sum, counts.get(counted)!))
      return sum
    })
  }
}

/** @param known the highest count that was received */
type AddCall = (name: string, endsAt: number, known: () => number) => Promise<number>

interface CountedCalls extends Omit<WindowCalls, 'calls' | 'known'> {
  known(): number
  waiting: { resolve(count: number): void, reject(error: unknown): void }[]
}

/** Adds the calls of a turn of the event loop in one statement; those that come during a statement share the next one. */
function openCallBatch({ addCalls }: SharedDatabase): AddCall {
  let calls = new Map<string, CountedCalls>()
  let isRunning = false

  async function addAll() {
    isRunning = true
    await new Promise(setImmediate)
    while (calls.size > 0) {
      const added = [...calls.values()]
      calls = new Map()
      try {
        const sums = await addCalls(added.map(({ name, endsAt, known, waiting }) =>
          ({ name, endsAt, known: known(), calls: waiting.length })))
        for (const [i, { waiting }] of added.entries()) {
          for (const [j, { resolve }] of waiting.entries()) resolve(sums[i]! - waiting.length + 1 + j)
        }
      } catch (error) {
        for (const { waiting } of added) for (const { reject } of waiting) reject(error)
      }
    }
    isRunning = false
  }

  return (name, endsAt, known) => new Promise((resolve, reject) => {
    const key = `${endsAt} ${name}`
    const counted = calls.get(key) ?? { name, endsAt, known, waiting: [] }
    calls.set(key, counted)
    counted.waiting.push({ resolve, reject })
    if (!isRunning) void addAll()
  })
}
