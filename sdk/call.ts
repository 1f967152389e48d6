import { describeType, toApiError } from './api-error.ts'
import { checkTimeout } from './connection.ts'
import type { Connection } from './connection.ts'
import { MayflyError, NetworkError, TimeoutError, UnexpectedAnswerError } from './errors.ts'

/** What every method takes as its last argument. */
export interface RequestOptions {
  /** Ends the request; the promise rejects with the signal's reason. */
  signal?: AbortSignal
  /** How long this request may take, in milliseconds. Default: the client's. */
  timeoutMs?: number
}

/** A generated operation, ready but for what the call adds. */
export type Operation<Body> = (request: { signal: AbortSignal, fetch: typeof fetch }) => Promise<{ data: Body }>

/**
 * Runs an operation that answers with JSON.
 * @param member that the body must have, or the answer is not Mayfly's; 204 has none where `mayBeEmpty`
 * @throws MayflyError of the kind that fits, or the reason of `options.signal`
 */
export async function call<Body extends object>(
  connection: Connection, operation: Operation<Body>, member: keyof Body & string, options?: RequestOptions & { mayBeEmpty?: boolean },
): Promise<{ body: Body, headers: Headers }> {
  let answer: Response | undefined
  return exchange(connection, options, async (request) => {
    const { data: body } = await operation({
      ...request,
      async fetch(input) {
        const response = await request.fetch(input as Request)
        // read here, so that a connection lost on the way is told from a body that makes no sense
        const text = await response.text()
        answer = response
        return new Response(text || null, response)
      },
    })
    if (answer?.status === 204 && options?.mayBeEmpty) return { body, headers: answer.headers }
    if (body?.[member] === undefined) throw new TypeError(`the answer has no ${member}`)
    return { body, headers: answer!.headers }
  }, (error) => answer && new UnexpectedAnswerError(
    `${connection.baseUrl} answered ${answer.status} with ${describeType(answer)} that is not Mayfly's. Check baseUrl.`,
    answer,
    { cause: error },
  ))
}

/** Runs an operation that answers with a file, whatever its type is. */
export async function download(
  connection: Connection, operation: Operation<unknown>, options?: RequestOptions,
): Promise<{ blob: Blob, headers: Headers }> {
  return exchange(connection, options, async (request) => {
    let file: { blob: Blob, headers: Headers } | undefined
    await operation({
      ...request,
      async fetch(input) {
        const answer = await request.fetch(input as Request)
        file = { blob: await answer.blob(), headers: answer.headers }
        return new Response('{}')
      },
    })
    return file!
  })
}

/** Opens an answer that comes piece by piece. Its time is that until it begins; who reads it ends it. */
export async function open(
  connection: Connection, operation: Operation<unknown>, type: string, options?: RequestOptions,
): Promise<ReadableStream<Uint8Array>> {
  let answer: Response | undefined
  return exchange(connection, options, async (request) => {
    await operation({
      ...request,
      async fetch(input) {
        answer = await request.fetch(input as Request)
        return new Response('{}')
      },
    })
    if (!answer?.body || !answer.headers.get('content-type')?.startsWith(type)) throw new TypeError(`the answer is not ${type}`)
    return answer.body
  }, (error) => answer && new UnexpectedAnswerError(
    `${connection.baseUrl} answered ${answer.status} with ${describeType(answer)} that is not Mayfly's. Check baseUrl.`, answer, { cause: error },
  ))
}

type Exchange<Result> = (request: { signal: AbortSignal, fetch: (request: Request) => Promise<Response> }) => Promise<Result>

/** One request and its answer, body included, within its time. */
async function exchange<Result>(
  connection: Connection, options: RequestOptions = {}, run: Exchange<Result>,
  explain: (error: unknown) => Error | undefined = () => undefined,
): Promise<Result> {
  const { signal, timeoutMs = connection.timeoutMs } = options
  checkTimeout(timeoutMs, 'timeoutMs')
  signal?.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(signal!.reason)
  signal?.addEventListener('abort', abort, { once: true })
  let what = 'The request'
  let isSent = false
  const timer = timeoutMs < longestTimer
    ? setTimeout(() => controller.abort(new TimeoutError(`${what} got no answer within ${Math.round(timeoutMs)} ms`)), timeoutMs)
    : undefined
  try {
    return await orAborted(controller.signal, run({
      signal: controller.signal,
      async fetch(request) {
        what = `${request.method} ${new URL(request.url).pathname}`
        isSent = true
        const response = await connection.fetch(request)
        if (!response.ok) throw toApiError(response, connection.redact(await response.text()))
        return response
      },
    }))
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason
    if (error instanceof MayflyError) throw error
    throw explain(error) ?? (isSent
      ? toNetworkError(error, connection.baseUrl)
      : new MayflyError(`The request cannot be made: ${(error as Error).message}`, { cause: error }))
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

const longestTimer = 2 ** 31

/** Ends at once with the signal, even when a `fetch` of the caller's own does not heed it. */
function orAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

function toNetworkError(error: unknown, baseUrl: string) {
  const cause = (error as { cause?: { code?: string, message?: string } } | undefined)?.cause
  const reason = cause?.code || cause?.message || (error instanceof Error ? error.message : String(error))
  return new NetworkError(`No answer from ${baseUrl}: ${reason}. Is the server running?`, { cause: error })
}
