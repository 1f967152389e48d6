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
  let waiting = waitingFor.get(signal)
  if (!waiting) {
    const callbacks = new Set<() => void>()
    const listener = () => callbacks.forEach((each) => each())
    waitingFor.set(signal, waiting = { callbacks, listener })
    signal.addEventListener('abort', listener, { once: true })
  }
  const { callbacks, listener } = waiting
  callbacks.add(callback)
  return () => {
    callbacks.delete(callback)
    if (callbacks.size > 0 || waitingFor.get(signal)?.callbacks !== callbacks) return
    waitingFor.delete(signal)
    signal.removeEventListener('abort', listener)
  }
}

/**
 * The callbacks of each signal, and its only listener: a signal looks through all listeners to add or remove one, and the signal of the
 * server's end has a callback for each wait.
 */
const waitingFor = new WeakMap<AbortSignal, { callbacks: Set<() => void>, listener: () => void }>()
