/**
 * Calls back once when a signal aborts: at once when it has aborted already, whose event does not come again.
 * @returns a function that ends this
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback()
    return () => {}
  }
  signal.addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}
