import { isPassing } from './answers.ts'
import { clock } from './clock.ts'
import type { ApiError } from './errors.ts'

/** Milliseconds between two requests at least, also when a server asks for 0. */
export const minPauseMs = 500
const maxPauseMs = 8_000
/** The last try begins so many milliseconds before the deadline. */
const lastTryMs = 250

export interface Retries {
  /** Tries after the first. */
  maxRetries: number
  /** By `clock.now()`. */
  deadline: number
  signal: AbortSignal
  onRetry?: (attempt: number, error: Error, delayMs: number) => void
}

/** Tries until it works, as long as it fails for reasons that may pass. @throws the last failure, or the signal's reason */
export async function retry<Result>(
  { maxRetries, deadline, signal, onRetry }: Retries, run: (attempt: number) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const began = clock.now()
    try {
      return await run(attempt)
    } catch (error) {
      signal.throwIfAborted()
      const left = deadline - clock.now()
      // counted from the start of the try: a long wait that was cut off is made again soon
      const ownMs = left > lastTryMs ? Math.min(left - lastTryMs, Math.max(0, backoff(attempt) - clock.now() + began)) : left
      const { retryAfterMs } = error as ApiError
      const delayMs = retryAfterMs === undefined ? ownMs : Math.max(minPauseMs, retryAfterMs)
      if (attempt > maxRetries || !isPassing(error) || delayMs >= left) throw error
      onRetry?.(attempt, error, delayMs)
      await sleep(delayMs, signal)
    }
  }
}

/** Milliseconds before a try, half of them random, so that not all clients of a restarted server come back at once. */
export const backoff = (failures: number): number => Math.min(maxPauseMs, minPauseMs * 2 ** (failures - 1)) * (0.5 + clock.random() / 2)

/** @throws the signal's reason as soon as it is aborted */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  within({ ms: Math.max(0, ms), signal }, () => new Promise<void>(() => {})).catch(() => signal?.throwIfAborted())

export interface Limits {
  ms: number
  signal?: AbortSignal
  /** Makes the error when the time is up. */
  late?: () => Error
}

/** Ends with the signal, or when the time is up, even if `run` ignores its signal. */
export async function within<Result>({ ms, signal, late }: Limits, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(signal!.reason)
  signal?.addEventListener('abort', abort)
  const cancel = clock.after(ms, () => controller.abort(late?.()))
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
