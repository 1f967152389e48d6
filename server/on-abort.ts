/**
 * Calls back once when a signal aborts; at once if it has aborted already, since it then fires no event.
 * @returns a function that cancels this
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback()
    return () => {}
  }
  signal.addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}
