/**
 * The body of an answer, as it comes.
 * @param lost throws an error of ours for what broke it off
 */
export function streamOf(
  { body }: Response, signal: AbortSignal | undefined, lost: (cause: unknown) => never,
): ReadableStream<Uint8Array> | undefined {
  if (!body) return undefined
  const reader = body.getReader()
  const end = () => void reader.cancel(signal!.reason).catch(() => {})
  const release = () => signal?.removeEventListener('abort', end)
  signal?.addEventListener('abort', end)
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        signal?.throwIfAborted()
        if (!done) return controller.enqueue(value)
        release()
        controller.close()
      } catch (cause) {
        release()
        signal?.throwIfAborted()
        lost(cause)
      }
    },
    cancel(reason) {
      release()
      return reader.cancel(reason)
    },
  })
}
