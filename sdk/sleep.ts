/** @throws the signal's reason as soon as it is aborted */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(wake, Math.min(ms, 2 ** 31 - 1))
    signal?.addEventListener('abort', wake, { once: true })
    if (signal?.aborted) wake()
  })
}
