/** Throws a MayflyError itself, and for any other error, as of a connection that broke, a NetworkError with it as its cause. */
export type Fail = (cause: unknown) => never

/**
 * The body of an answer as a stream, whose connection the signal closes: Node's `fetch` holds the signal of a request weakly, so an abort
 * after a garbage collection would not reach it.
 */
export function readStream({ body }: Response, signal: AbortSignal | undefined, fail: Fail): ReadableStream<Uint8Array> | undefined {
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
        fail(cause)
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
 * @returns undefined for more than `maxBytes`; the rest is not read, and the connection is closed
 */
export async function readBytes(
  answer: Response, signal: AbortSignal, fail: Fail, maxBytes = Infinity,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = readStream(answer, signal, fail)?.getReader()
  // React Native has no response streams
  if (!reader) return new Uint8Array(await answer.arrayBuffer())
  // one growing buffer: a chunk may have a single byte, and each is an object of 100 bytes
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

/** Whether JSON has more than `limit` values. Each value but the outermost follows a comma or an opening bracket outside of strings. */
export function hasMoreValues(json: Uint8Array, limit: number): boolean {
  let isString = false
  for (let i = 0; i < json.length; i++) {
    const character = String.fromCharCode(json[i]!)
    if (character === '"') isString = !isString
    else if (isString) i += Number(character === '\\')
    else if ('[{,'.includes(character) && --limit < 0) return true
  }
  return false
}
