/** @throws the signal's reason when it comes first; what the promise comes to then is nobody's business */
export async function unlessCut<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const cut = Promise.withResolvers<never>()
  const onAbort = () => cut.reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([cut.promise, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
