import { onAbort } from '../on-abort.ts'

/** @throws the signal's reason when it comes first; what the promise comes to then is nobody's business */
export async function unlessCut<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const cut = Promise.withResolvers<never>()
  const stopListening = onAbort(signal, () => cut.reject(signal.reason))
  try {
    return await Promise.race([cut.promise, promise])
  } finally {
    stopListening()
  }
}
