import { readRateLimit, toApiError } from './answers.ts'
import type { RateLimit } from './answers.ts'
import type { Wanted } from './client.ts'
import { clock } from './clock.ts'
import { withDates } from './dates.ts'
import { MayflyError, NetworkError, TimeoutError } from './errors.ts'
import type { Message } from './generated/types.gen.ts'
import { needId } from './ids.ts'
import { maskError, maskOf } from './masking.ts'
import { checkTimeout, readApiKey, readBaseUrl } from './options.ts'
import type { MayflyOptions, RequestOptions } from './options.ts'
import { toMayflyPromise } from './promise.ts'
import type { Answer, MayflyPromise } from './promise.ts'
import { retry, within } from './retry.ts'
import { bytesOf, hasMoreValues } from './streams.ts'
import type { Lost } from './streams.ts'

/** What every operation needs. The API key stays in a closure, so that nothing can print it. */
export interface Connection {
  baseUrl: string
  timeoutMs: number
  /** As the last answer told. */
  rateLimit: RateLimit | undefined
  /**
   * Calls an operation that answers with JSON.
   * @param read what the caller is given of it; without, its `data`. Undefined where it is not Mayfly's
   */
  call: {
    <Data>(operation: string, wanted: Sent<{ data: Data }>, options?: CallOptions): MayflyPromise<Data>
    <Body, Data>(
      operation: string, wanted: Sent<Body>, options: CallOptions | undefined, read: (body: Body, headers: Headers) => Data | undefined,
    ): MayflyPromise<Data>
  }
  /** Calls an operation that answers with something else. @param read undefined where it is not Mayfly's */
  open: <Data>(operation: string, wanted: Sent<unknown>, options: CallOptions | undefined, read: Read<Data>) => MayflyPromise<Data>
}

export interface CallOptions extends RequestOptions {
  /** Milliseconds that one try may take. Default: the time for all tries. */
  tryMs?: number
  /** Bytes of JSON in an answer at most. Default: 2 MiB; a page of a list has less than 600 kB. */
  maxBytes?: number
}

const maxBytes = 2 * 1024 * 1024
/** Bytes of JSON in an answer that is a whole email at most: enough for the text of 25 MiB of mail, which a server takes by default. */
export const maxEmailBytes = 32 * 1024 * 1024

/** Values in an answer at most: each takes up to a hundred bytes of memory, in JSON as few as two. A page of a list has 2,000. */
const maxValues = 100_000

const tooLong = (limit: number) =>
  `of more than ${limit} bytes, which are not read.${limit === maxEmailBytes ? ' emails.raw gives the source of a long email.' : ''}`

/** @param signal ends the try */
type Read<Data> = (response: Response, signal: AbortSignal, lost: Lost) => Promise<Data | undefined>

/** What is to be sent, or what makes it and finds mistakes on the way. */
type Sent<Body> = Wanted<Body> | (() => Wanted<Body>)

/** @throws MayflyError when an option cannot be used */
export function connect(options: MayflyOptions): Connection {
  const apiKey = readApiKey(options)
  const mask = maskOf(apiKey)
  const baseUrl = readBaseUrl(options)
  const timeoutMs = checkTimeout(options.timeoutMs ?? 30_000)
  // looked up at each call: test tools replace the global one
  const fetch = async (request: Request) => (options.fetch ?? globalThis.fetch)(request)
  const hooks = options.hooks ?? {}

  const connection: Connection = {
    baseUrl,
    timeoutMs,
    rateLimit: undefined,
    call: <Body, Data>(
      operation: string, sent: Sent<Body>, callOptions?: CallOptions,
      read: (body: Body, headers: Headers) => Data | undefined = (body) => thing((body as { data: Data }).data),
    ) => connection.open(operation, sent, callOptions, async (response, signal, lost) => {
      const limit = callOptions?.maxBytes ?? maxBytes
      const bytes = await bytesOf(response, signal, lost, limit)
      if (!bytes) throw toApiError(response, '', baseUrl, mask, tooLong(limit))
      if (hasMoreValues(bytes, maxValues)) throw toApiError(response, '', baseUrl, mask, `of more than ${maxValues} values.`)
      const text = new TextDecoder().decode(bytes)
      try {
        return read(text && withDates(JSON.parse(text)), response.headers)
      } catch {
        return undefined // what it lacks was asked of it
      }
    }),
    open: (operation, sent, callOptions, read) => toMayflyPromise(exchange(operation, sent, callOptions, read)),
  }
  return connection

  /** A call, with all its tries. */
  async function exchange<Data>(
    operation: string, sent: Sent<unknown>, callOptions: CallOptions = {}, read: Read<Data>,
  ): Promise<Answer<Data>> {
    const wanted = typeof sent === 'function' ? sent() : sent
    const { signal, maxRetries = options.maxRetries ?? 2, tryMs = Infinity } = callOptions
    const ms = checkTimeout(callOptions.timeoutMs ?? timeoutMs)
    const deadline = clock.now() + ms
    const { method } = wanted
    const { url, create } = prepare(operation, wanted, callOptions)
    let last: unknown
    const late = (limit: number) => () =>
      new TimeoutError(`${operation} got no answer within ${Math.round(limit)} ms`, { cause: last })

    return within({ ms, signal, late: late(ms) }, (whole) => retry({
      maxRetries, deadline, signal: whole,
      onRetry(attempt, error, delayMs) {
        last = error
        hooks.onRetry?.({ operation, method, url, attempt, error, delayMs })
      },
    }, (attempt) => within({ ms: tryMs, signal: whole, late: late(tryMs) }, async (signal) => {
      const event = { operation, method, url, attempt }
      hooks.onRequest?.(event)
      const began = clock.now()
      const request = create(signal)
      // keeps the request alive: in Node it holds the signal weakly, and once it is garbage-collected an abort no longer ends `fetch`
      signal.addEventListener('abort', () => void request)
      const response = await fetch(request).catch(lost)
      try {
        signal.throwIfAborted() // a `fetch` of the options may ignore the signal
        const { status, headers } = response
        const rateLimit = connection.rateLimit = readRateLimit(headers) ?? connection.rateLimit
        const requestId = mask(headers.get('x-request-id') ?? '') || undefined
        const responseEvent = { ...event, status, requestId, durationMs: clock.now() - began }
        hooks.onResponse?.(responseEvent)
        callOptions.onResponse?.(responseEvent)
        if (!response.ok) {
          const bytes = await bytesOf(response, signal, lost, maxBytes).catch(lost)
          throw toApiError(response, new TextDecoder().decode(bytes), baseUrl, mask)
        }
        const data = await read(response, signal, lost).catch(lost)
        if (data === undefined) throw toApiError(response, '', baseUrl, mask)
        return { data, response: { status, headers, requestId }, rateLimit }
      } catch (error) {
        // a body that is not read would keep the connection open
        if (!response.body?.locked) void response.body?.cancel().catch(() => {})
        throw error
      }
    })))
  }

  /** @returns what makes the request of each try. @throws MayflyError when it cannot be made */
  function prepare(operation: string, { method, url, path, query, body, headers }: Wanted<unknown>, callOptions: CallOptions) {
    const ids = path as Record<string, unknown>
    const target = new URL(baseUrl + url.replace(/{(\w+)}/g, (_, name: string) => needId(ids[name], `${operation}: ${name}`)))
    for (const [name, value] of Object.entries(query ?? {})) if (value != null) target.searchParams.append(name, String(value))
    try {
      const all = new Headers({ ...headers as object, ...callOptions.headers })
      all.set('authorization', `Bearer ${apiKey}`)
      const name = 'idempotency-key'
      if (method !== 'GET') all.set(name, callOptions.idempotencyKey ?? all.get(name) ?? crypto.getRandomValues(new Uint32Array(4)).join('-'))
      const text = JSON.stringify(body)
      const create = (signal?: AbortSignal) => new Request(target, {
        method, headers: all, body: text, signal, redirect: 'manual',
        // frameworks that cache GET requests would hide new mail; a few runtimes do not know the word
        ...'cache' in Request.prototype && { cache: 'no-store' },
      })
      return { url: create().url, create }
    } catch (cause) {
      maskError(cause, mask)
      throw new MayflyError(`The request cannot be made: ${(cause as Error).message}`, { cause })
    }
  }

  function lost(error: unknown): never {
    if (error instanceof MayflyError) throw error
    maskError(error, mask)
    const { code, message } = Object((error as Error | undefined)?.cause ?? error) as { code?: string, message?: string }
    throw new NetworkError(`No answer from ${baseUrl}: ${code ?? message}. Is the server running?`, { cause: error })
  }
}

/** What an answer with a `message` alone gives. */
export const said = <Body extends Message>(body: Body): Body | undefined => body.message === undefined ? undefined : body

/** Anything but a text, a number, nothing. */
const thing = <Data>(data: Data): Data | undefined => Object(data) === data ? data : undefined
