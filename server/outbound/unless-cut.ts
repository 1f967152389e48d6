import { onAbort } from '../on-abort.ts'

/** @throws the signal's reason when it aborts first; a later settlement of the promise is ignored */
export async function unlessCut<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const cut = Promise.withResolvers<never>()
  const stopListening = onAbort(signal, () => cut.reject(signal.reason))
  try {
    return await Promise.race([cut.promise, promise])
  } finally {
    stopListening()
  }
}
