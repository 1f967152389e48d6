/** Throws the error of this package for an answer that broke off. */
export type Lost = (cause: unknown) => never

/**
 * The body of an answer, as it comes. The signal closes its connection here: `fetch` holds the signal of a request weakly, so in Node
 * an abort after a garbage collection no longer reaches it.
 */
export function streamOf({ body }: Response, signal: AbortSignal | undefined, lost: Lost): ReadableStream<Uint8Array> | undefined {
  if (!body) return undefined
  const reader = body.getReader()
  const end = () => void reader.cancel(signal!.reason).catch(() => {})
  const release = () => signal?.removeEventListener('abort', end)
  if (signal?.aborted) end()
  else signal?.addEventListener('abort', end)
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

/**
 * Reads the body of an answer to its end.
 * @returns undefined where it has more than `maxBytes`; the rest is not read then, and its connection closed
 */
export async function bytesOf(
  answer: Response, signal: AbortSignal, lost: Lost, maxBytes = Infinity,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = streamOf(answer, signal, lost)?.getReader()
  // React Native gives no stream
  if (!reader) return new Uint8Array(await answer.arrayBuffer())
  // one buffer that grows, since pieces may have a single byte, and each is an object of a hundred bytes
  let bytes = new Uint8Array()
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return bytes.subarray(0, size)
    const end = size + value.length
    if (end > maxBytes) {
      void reader.cancel().catch(() => {})
      return undefined
    }
    if (end > bytes.length) {
      const smaller = bytes
      bytes = new Uint8Array(Math.max(2 * size, end))
      bytes.set(smaller)
    }
    bytes.set(value, size)
    size = end
  }
}

/** Whether JSON has more values than `limit`: each one begins behind a comma or a bracket outside texts, but for the outermost. */
export function hasMoreValues(json: Uint8Array, limit: number): boolean {
  let isText = false
  for (let i = 0; i < json.length; i++) {
    const character = String.fromCharCode(json[i]!)
    if (character === '"') isText = !isText
    else if (isText) i += Number(character === '\\')
    else if ('[{,'.includes(character) && --limit < 0) return true
  }
  return false
}
