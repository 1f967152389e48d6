import { setTimeout as sleep } from 'node:timers/promises'

export interface Deadline {
  /** Aborts when the time is over, or with the signal of the options. */
  signal: AbortSignal
  /** Removes the timer and the listener, so that the signal does not abort any more. */
  end(): void
}

export interface DeadlineOptions {
  /** Milliseconds of real time. */
  timeoutMs: number
  /** Reason of the signal when the time is over. */
  timeoutReason?: unknown
  /** Aborts the signal of the deadline too. */
  signal?: AbortSignal
  /** Reason of the signal in that case. */
  abortReason?: unknown
}

/** Runs work with a signal that aborts when its time is over. The work has to end with the signal. */
export async function withDeadline<T>(options: DeadlineOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = openDeadline(options)
  try {
    return await work(deadline.signal)
  } finally {
    deadline.end()
  }
}

export function openDeadline({ timeoutMs, timeoutReason, signal, abortReason }: DeadlineOptions): Deadline {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(timeoutReason), timeoutMs)
  const stopListening = signal && onAbort(signal, () => deadline.abort(abortReason))
  return {
    signal: deadline.signal,
    end() {
      clearTimeout(timer)
      stopListening?.()
    },
  }
}

/** @throws the signal's reason when it aborts first; a later settlement of the promise is ignored */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const stopListening = onAbort(signal, () => aborted.reject(signal.reason))
  try {
    return await Promise.race([aborted.promise, promise])
  } finally {
    stopListening()
  }
}

/** Waits for a promise. @returns its value, or undefined when it is not settled after `timeoutMs` */
export async function waitAtMost<Value>(timeoutMs: number, promise: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([promise, new Promise<undefined>((resolve) => { timer = setTimeout(resolve, timeoutMs, undefined) })])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for a time, or until the signal aborts. */
export async function pause(timeoutMs: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(timeoutMs, undefined, { signal })
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/**
 * Calls back once when a signal aborts; at once if it has aborted already, since it then fires no event.
 * @returns a function that cancels this
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback()
    return () => {}
  }
  const callbacks = callbacksOf.get(signal) ?? new Set()
  if (callbacks.size === 0) {
    callbacksOf.set(signal, callbacks)
    signal.addEventListener('abort', () => callbacks.forEach((each) => each()), { once: true })
  }
  callbacks.add(callback)
  return () => callbacks.delete(callback)
}

/** A signal looks through all of its listeners for each one that is added or removed: that of the closing server has one of each wait. */
const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>()
