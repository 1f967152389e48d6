import { isPassing } from './answers.ts'
import { clock } from './clock.ts'
import type { ApiError } from './errors.ts'

/** Milliseconds before another request at least, whatever a server asks for: what says 0 is not asked again and again. */
export const minPauseMs = 500
const longestMs = 8_000
/** The last try of all begins so long before the end. */
const lastTryMs = 250

export interface Retries {
  /** Tries after the first. */
  most: number
  /** When to be done, on our clock. */
  deadline: number
  signal: AbortSignal
  onRetry?: (attempt: number, error: Error, delayMs: number) => void
}

/** Tries until it works, as long as it fails for reasons that may pass. @throws the last failure, or the signal's reason */
export async function retry<Result>(
  { most, deadline, signal, onRetry }: Retries, run: (attempt: number) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const began = clock.now()
    try {
      return await run(attempt)
    } catch (error) {
      signal.throwIfAborted()
      const left = deadline - clock.now()
      // counted from when the try began: one that waited long and was cut off is made again soon
      const ownMs = left > lastTryMs ? Math.min(left - lastTryMs, Math.max(0, backoff(attempt) - clock.now() + began)) : left
      const { retryAfterMs } = error as ApiError
      const delayMs = retryAfterMs === undefined ? ownMs : Math.max(minPauseMs, retryAfterMs)
      if (attempt > most || !isPassing(error) || delayMs >= left) throw error
      onRetry?.(attempt, error, delayMs)
      await sleep(delayMs, signal)
    }
  }
}

/** Milliseconds before a try, half of them by chance: not all clients of a server that was away come back at once. */
export const backoff = (failures: number): number => Math.min(longestMs, minPauseMs * 2 ** (failures - 1)) * (0.5 + clock.random() / 2)

/** @throws the signal's reason as soon as it is aborted */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  within({ ms: Math.max(0, ms), signal }, () => new Promise<void>(() => {})).catch(() => signal?.throwIfAborted())

export interface Limits {
  ms: number
  signal?: AbortSignal
  /** What is thrown when the time is up. */
  late?: () => Error
}

/** Ends with the signal, or when the time is up, even if what runs heeds neither. */
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
