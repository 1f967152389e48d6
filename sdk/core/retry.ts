import { clock } from './clock.ts'
import { ApiError, NetworkError, TimeoutError } from './errors.ts'

/** Minimum pause between two requests, also when the server asks for 0. */
export const minPauseMs = 500
const maxPauseMs = 8_000
/** Time before the deadline at which the last attempt begins. */
const lastAttemptMs = 250

export interface RetryOptions {
  /** Attempts after the first. */
  maxRetries: number
  /** The value of `clock.now()` at which the call ends. */
  deadline: number
  signal: AbortSignal
  onRetry?: (attempt: number, error: Error, delayMs: number) => void
}

/** Repeats `run` after transient errors until it succeeds. @throws the last error, or the signal's reason */
export async function retry<Result>(
  { maxRetries, deadline, signal, onRetry }: RetryOptions, run: (attempt: number) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const began = clock.now()
    try {
      return await run(attempt)
    } catch (error) {
      signal.throwIfAborted()
      const leftMs = deadline - clock.now()
      // counted from the start of the attempt: a long wait whose connection broke is repeated soon
      const ownMs = leftMs > lastAttemptMs ? Math.min(leftMs - lastAttemptMs, Math.max(0, backoff(attempt) - clock.now() + began)) : leftMs
      const { retryAfterMs } = error as ApiError
      const delayMs = retryAfterMs === undefined ? ownMs : Math.max(minPauseMs, retryAfterMs)
      if (attempt > maxRetries || !isTransient(error) || delayMs >= leftMs) throw error
      onRetry?.(attempt, error, delayMs)
      await sleep(delayMs, signal)
    }
  }
}

/** Whether the next attempt may succeed: the network failed, a time-out, 408, 429, or a 5xx other than 501, 505 and 507. */
export const isTransient = (error: unknown): error is Error =>
  error instanceof NetworkError || error instanceof TimeoutError
  || error instanceof ApiError && (error.status > 499 ? ![501, 505, 507].includes(error.status) : [408, 429].includes(error.status))

/** Milliseconds before the next attempt, half of them random, so that the clients of a restarted server do not return all at once. */
export const backoff = (failures: number): number => Math.min(maxPauseMs, minPauseMs * 2 ** (failures - 1)) * (0.5 + clock.random() / 2)

/** @throws the signal's reason as soon as it is aborted */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  within({ timeoutMs: Math.max(0, ms), signal }, () => new Promise<void>(() => {})).catch(() => signal?.throwIfAborted())

export interface TimeLimit {
  timeoutMs: number
  signal?: AbortSignal
  /** Makes the error of a time-out. */
  timeoutError?: () => Error
}

/** Runs until the signal aborts or the time is up, even if `run` ignores its signal. */
export async function within<Result>(
  { timeoutMs, signal, timeoutError }: TimeLimit, run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(signal!.reason)
  signal?.addEventListener('abort', abort)
  const cancel = clock.after(timeoutMs, () => controller.abort(timeoutError?.()))
  try {
    return await Promise.race([aborted(controller.signal), run(controller.signal)])
  } finally {
    cancel()
    signal?.removeEventListener('abort', abort)
  }
}

const aborted = (signal: AbortSignal) => new Promise<never>((_, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason))
})
