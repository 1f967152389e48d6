import { checkTimeout } from '../connection.ts'
import { ApiError, InvalidRequestError, MayflyError, NetworkError, NotFoundError, RateLimitError, ServerError, TimeoutError } from '../errors.ts'
import type { Email } from '../generated/types.gen.ts'
import { sleep } from '../sleep.ts'
import type { WaitForOptions } from './options.ts'
import { nextDelay } from './pace.ts'
import { openSearch } from './search.ts'
import type { Mailbox } from './search.ts'

/**
 * Waits until the email is there. The server waits with us; one that cannot is asked again and again.
 * Rate limits, faults of the server and lost connections are waited out.
 */
export async function waitFor(mailbox: Mailbox, options: WaitForOptions): Promise<Email> {
  mailbox.waits++
  try {
    return await search(mailbox, options)
  } finally {
    mailbox.waits--
  }
}

/** Milliseconds after which a lost request that waited was cut off by something with little patience. */
const cutMs = 1_500
/** Faults in a row of requests that wait, after which this wait only looks. */
const mostFaults = 3

async function search(mailbox: Mailbox, options: WaitForOptions): Promise<Email> {
  const { timeoutMs = 30_000, signal } = options
  checkTimeout(timeoutMs, 'timeoutMs')
  const search = openSearch(mailbox, options, timeoutMs)
  const { timeLeft } = search
  // a backlog is read in pages, and not an email a request
  let isToLook = search.hasBacklog && [options.from, options.subject].some((wanted) => wanted instanceof RegExp)
  let failure: unknown
  let failures = 0
  let faults = 0

  for (let looks = 1; ; looks++) {
    const canAsk = mailbox.canAsk && faults < mostFaults
    const isAsking = canAsk && !isToLook
    const since = performance.now()
    let delay = 0
    try {
      const { email, came } = isAsking ? await search.ask() : { email: await search.look() }
      if (email) return email
      failure = undefined
      if (isAsking) faults = 0
      if (faults === 0) failures = 0
      if (isAsking && timeLeft() <= 0) return await lookLast()
      if (!canAsk || came === 'the same' || came === 'another' && isShort()) delay = pace(looks)
      isToLook = false
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (isAsking && await isMissing(error)) {
        mailbox.canAsk = false
        continue
      }
      if (!isPassing(error)) throw error
      // a look that the end of the wait cut short is no fault, unless nothing ever answered
      if (!search.hasLooked || timeLeft() > 0) failure = error
      search.budget = undefined
      if (isAsking && wasCut(error, since)) {
        mailbox.longestAsk = Math.max(1, Math.min(mailbox.longestAsk, Math.floor((performance.now() - since) / 1000) - 1))
        continue
      }
      if (isAsking) faults++
      isToLook = isAsking && !(error instanceof RateLimitError)
      delay = (error instanceof ApiError ? error.retryAfterMs : undefined) ?? Math.min(2_000, 100 * 2 ** failures++)
    }
    if (delay === 0) continue
    if (!await pause(delay)) throw search.timeout(failure)
  }

  async function lookLast(): Promise<Email> {
    const email = await search.lookLast().catch((error: unknown) => {
      if (signal?.aborted) throw signal.reason
      if (!isPassing(error)) throw error
      if (!search.hasLooked) failure = error
      return undefined
    })
    if (email) return email
    throw search.timeout(failure)
  }

  function pace(looks: number) {
    return nextDelay({ looks, elapsedMs: search.elapsed(), leftMs: timeLeft(), waits: mailbox.waits, budget: search.budget })
  }

  /** Much mail that does not match would use up the rate limit: then it is asked for at the pace of looks. */
  function isShort() {
    const { budget } = search
    return budget !== undefined && budget.remaining < budget.limit / 4
  }

  /** Older servers, and others, take `wait` for the id of an email, or for nothing. */
  async function isMissing(error: unknown): Promise<boolean> {
    if (!(error instanceof ApiError)) return false
    if (error.status === 405 || error.status === 501) return true
    if (error instanceof InvalidRequestError) return error.details.some(({ path }) => path.startsWith('path'))
    if (!(error instanceof NotFoundError)) return false
    if (options.addressId === undefined || error.code === undefined) return true
    // whether the address or the operation is not there
    return mailbox.fetchAddress(options.addressId, { signal }).then(() => true, (reason: unknown) => {
      if (signal?.aborted) throw signal.reason
      return !(reason instanceof NotFoundError)
    })
  }

  /** @returns whether there is time for another look, the last of them shortly before the end */
  async function pause(ms: number): Promise<boolean> {
    const left = timeLeft()
    const lastLookMs = Math.min(250, timeoutMs / 10)
    const mayLook = (search.budget?.remaining ?? 2) > 1 && !(failure instanceof RateLimitError)
    const isLast = ms > left - lastLookMs
    const hasLastLook = isLast && mayLook && left > 2 * lastLookMs
    await sleep(Math.max(0, !isLast ? ms : hasLastLook ? left - lastLookMs : left), signal)
    return !isLast || hasLastLook
  }
}

/** Whether something on the way ended a request that waited, for having waited too long. */
const wasCut = (error: MayflyError, since: number) => performance.now() - since >= cutMs
  && (error instanceof NetworkError || error instanceof ServerError && error.code === undefined)

/** Faults that may be over at the next look. */
const isPassing = (error: unknown): error is MayflyError =>
  error instanceof NetworkError || error instanceof TimeoutError || error instanceof RateLimitError
  || error instanceof ServerError && error.code !== 'NOT_IMPLEMENTED'
