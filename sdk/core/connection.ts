import { operations } from '../generated/operations.gen.ts'
import type { Operations } from '../generated/operations.gen.ts'
import type { Message } from '../generated/types.gen.ts'
import { toApiError } from './api-error.ts'
import { clock } from './clock.ts'
import { withDates } from './dates.ts'
import { MayflyError, NetworkError, TimeoutError } from './errors.ts'
import { requireId } from './ids.ts'
import { createMask, maskError } from './masking.ts'
import { describeReason } from './network-reason.ts'
import {
  checkClientOptions, checkRetries, checkTimeout, rawOptionNames, readApiKey, readBaseUrl, readWaitTimeout, requestOptionNames,
} from './options.ts'
import type { MayflyOptions, RawRequestOptions, RequestOptions } from './options.ts'
import { toMayflyPromise } from './promise.ts'
import type { Answer, MayflyPromise } from './promise.ts'
import { readRateLimit } from './rate-limit.ts'
import type { RateLimit } from './rate-limit.ts'
import { retry, within } from './retry.ts'
import { hasMoreValues, readBytes } from './streams.ts'
import type { Fail } from './streams.ts'
import { checkNames } from './unknown-names.ts'

/** Sends the requests of all operations. The API key stays in a closure, so a printed client does not show it. */
export interface Connection {
  baseUrl: string
  timeoutMs: number
  /** For a wait without a `timeoutMs`. */
  waitTimeoutMs: () => number
  /** From the headers of the last answer that had them. */
  rateLimit: RateLimit | undefined
  /**
   * Calls an operation that answers with JSON.
   * @param read makes the call's result of the body; default: its `data`. Undefined marks an answer that is not Mayfly's
   */
  call: {
    <Id extends OperationId>(operation: Id, input: InputSource<Id>, options?: CallOptions): MayflyPromise<DataOf<Operations[Id]['answer']>>
    <Id extends OperationId, Data>(
      operation: Id, input: InputSource<Id>, options: CallOptions | undefined,
      read: (body: Operations[Id]['answer'], headers: Headers) => Data | undefined,
    ): MayflyPromise<Data>
  }
  /** Calls an operation that answers with anything but JSON. @param read as for `call` */
  open: <Id extends OperationId, Data>(
    operation: Id, input: InputSource<Id>, options: CallOptions | undefined, read: ReadAnswer<Data>,
  ) => MayflyPromise<Data>
  /** Sends a request of the caller's own, for `mayfly.request`. */
  request: <Body>(method: string, path: string, options: RawRequestOptions) => MayflyPromise<Body>
}

type OperationId = keyof Operations
/** The name of an operation, or the method and path of a request of the caller's own: `GET /addresses`. */
type OperationName = OperationId | `${string} ${string}`
type DataOf<Answer> = Answer extends { data: infer Data } ? Data : never

/** The parameters of an operation. */
type Input<Id extends OperationId> = Omit<Operations[Id]['input'], 'url' | 'headers'> & Pick<RequestOptions, 'headers'>

/** The parameters, or a function that makes them and may throw for a wrong one. */
type InputSource<Id extends OperationId> = Input<Id> | (() => Input<Id>)

/** A value of the query, as it is sent. Not by instanceof: test runners have their own `Date`. */
const textOf = (value: string | number | boolean | Date): string => typeof value === 'object' ? value.toISOString() : String(value)

/** The parameters of any operation. */
type AnyInput = Pick<RawRequestOptions, 'query' | 'body' | 'headers' | 'dialect'> & { path?: Record<string, unknown> }

/** Options of one call. Those that the package itself sets have symbols as names, so that no caller sets them by mistake. */
export interface CallOptions extends RequestOptions {
  /** Milliseconds that one attempt may take. Default: `timeoutMs`, which is for all attempts. */
  [attemptTimeoutMs]?: number
  /** Maximum bytes of JSON in an answer. Default: 2 MiB; a list has less than 1.2 MB. */
  [maxBytes]?: number
  /** The names of all options of the method. Default: those of `RequestOptions`. */
  [optionNames]?: Record<string, true>
}

export const attemptTimeoutMs = /* @__PURE__ */ Symbol()
export const maxBytes = /* @__PURE__ */ Symbol()
export const optionNames = /* @__PURE__ */ Symbol()

const defaultMaxBytes = 2 * 1024 * 1024
/** Maximum bytes of JSON in an answer that is a whole email: enough for the text of 25 MiB of mail, which a server takes by default. */
export const maxEmailBytes = 32 * 1024 * 1024

/** Maximum number of values in an answer: one takes up to 100 bytes of memory and as few as 2 in JSON. A page of a list has 2,000. */
const maxValues = 100_000

const tooLong = (limit: number) =>
  `of more than ${limit} bytes, which are not read.${limit === maxEmailBytes ? ' emails.raw gives the source of a long email.' : ''}`

/** @param signal ends the attempt */
type ReadAnswer<Data> = (response: Response, signal: AbortSignal, fail: Fail) => Promise<Data | undefined>

/** @throws MayflyError when an option cannot be used */
export function connect(options: MayflyOptions): Connection {
  checkClientOptions(options, 'new Mayfly()')
  const apiKey = readApiKey(options)
  const mask = createMask(apiKey)
  const baseUrl = readBaseUrl(options)
  const timeoutMs = checkTimeout(options.timeoutMs ?? 30_000)
  // read at each call: test tools replace the global fetch
  const fetch = async (request: Request) => (options.fetch ?? globalThis.fetch)(request)
  const hooks = options.hooks ?? {}

  const connection: Connection = {
    baseUrl,
    timeoutMs,
    waitTimeoutMs: readWaitTimeout(options),
    rateLimit: undefined,
    call: <Id extends OperationId, Data>(
      operation: Id, source: InputSource<Id>, callOptions?: CallOptions,
      read: (body: Operations[Id]['answer'], headers: Headers) => Data | undefined = (body) => objectOnly((body as { data: Data }).data),
    ) => connection.open(operation, source, callOptions, async (response, signal, fail) => {
      const limit = callOptions?.[maxBytes] ?? defaultMaxBytes
      const bytes = await readBytes(response, signal, fail, limit)
      const about = { operation, baseUrl, mask }
      if (!bytes) throw toApiError(response, '', about, tooLong(limit))
      if (hasMoreValues(bytes, maxValues)) throw toApiError(response, '', about, `of more than ${maxValues} values.`)
      const text = new TextDecoder().decode(bytes)
      try {
        const body = text && JSON.parse(text)
        return read(operations[operation] ? withDates(body) : body, response.headers)
      } catch {
        return undefined // the body lacks members that an answer of Mayfly has
      }
    }),
    open: (operation, source, callOptions, read) => toMayflyPromise(exchange(operation, source, callOptions, read)),
    request: (method, path, options) => connection.call(
      `${method} ${path}` as OperationId, options as object, { ...options, [optionNames]: rawOptionNames, [maxBytes]: maxEmailBytes },
      (body: unknown) => body === '' ? null : body) as MayflyPromise<never>,
  }
  return connection

  /** Sends a call's request until an attempt succeeds. */
  async function exchange<Data>(
    operation: OperationName, source: AnyInput | (() => AnyInput), callOptions: CallOptions = {}, read: ReadAnswer<Data>,
  ): Promise<Answer<Data>> {
    const input = typeof source === 'function' ? source() : source
    checkNames(callOptions, callOptions[optionNames] ?? requestOptionNames, operation)
    const { signal, maxRetries = options.maxRetries ?? 2, [attemptTimeoutMs]: attemptMs = Infinity } = callOptions
    const callTimeoutMs = checkTimeout(callOptions.timeoutMs ?? timeoutMs)
    const deadline = clock.now() + callTimeoutMs
    const { method, url, create } = prepare(operation, input, callOptions)
    const about = { operation, baseUrl, mask }
    const noAnswer = `${operation} got no answer from ${baseUrl}`
    let lastError: unknown
    const timeoutError = (limitMs: number) => () => new TimeoutError(`${noAnswer} within ${Math.round(limitMs)} ms`, { cause: lastError })
    const fail: Fail = (error) => {
      if (error instanceof MayflyError) throw error
      maskError(error, mask)
      throw new NetworkError(`${noAnswer}: ${describeReason(error)}`, { cause: error })
    }

    return within({ timeoutMs: callTimeoutMs, signal, timeoutError: timeoutError(callTimeoutMs) }, (callSignal) => retry({
      maxRetries: checkRetries(maxRetries), deadline, signal: callSignal,
      onRetry(attempt, error, delayMs) {
        lastError = error
        hooks.onRetry?.({ operation, method, url, attempt, error, delayMs })
      },
    }, (attempt) => within({
      timeoutMs: attemptMs, signal: callSignal, timeoutError: timeoutError(attemptMs),
    }, async (signal) => {
      const event = { operation, method, url, attempt }
      hooks.onRequest?.(event)
      const began = clock.now()
      const request = create(signal)
      // keeps the request alive: Node's `fetch` holds the signal by it alone, and after a garbage collection an abort would not end it
      signal.addEventListener('abort', () => void request)
      const response = await fetch(request).catch(fail)
      try {
        signal.throwIfAborted() // the caller's own `fetch` may ignore the signal
        const { status, headers } = response
        const rateLimit = connection.rateLimit = readRateLimit(headers) ?? connection.rateLimit
        const requestId = mask(headers.get('x-request-id') ?? '') || undefined
        const responseEvent = { ...event, status, requestId, durationMs: clock.now() - began }
        hooks.onResponse?.(responseEvent)
        callOptions.onResponse?.(responseEvent)
        if (!response.ok) {
          const bytes = await readBytes(response, signal, fail, defaultMaxBytes).catch(fail)
          throw toApiError(response, new TextDecoder().decode(bytes), about)
        }
        const data = await read(response, signal, fail).catch(fail)
        if (data === undefined) throw toApiError(response, '', about)
        return { data, response: { status, headers, requestId }, rateLimit }
      } catch (error) {
        // an unread body would keep the connection open
        if (!response.body?.locked) void response.body?.cancel().catch(() => {})
        throw error
      }
    })))
  }

  /**
   * @returns the method, the URL, and `create`, which makes the request of each attempt
   * @throws MayflyError when a parameter or a header cannot be sent
   */
  function prepare(operation: OperationName, { path: ids = {}, query, body, headers, dialect }: AnyInput, callOptions: CallOptions) {
    const known = operations[operation as OperationId] as string | undefined
    const [method, path] = (known ?? operation).split(/ (.*)/s) as [string, string]
    const target = new URL(baseUrl + path.replace(/^(\/api\/v1)?/, '/api/v1')
      .replace(/{(\w+)}/g, (_, name: string) => requireId(ids[name], `${operation}: ${name}`)))
    for (const [name, value] of Object.entries(query ?? {})) if (value != null) target.searchParams.append(name, textOf(value))
    try {
      const text = JSON.stringify(body)
      const allHeaders = new Headers({ ...text && { 'Content-Type': 'application/json' }, ...headers, ...callOptions.headers })
      allHeaders.set('authorization', `Bearer ${apiKey}`)
      // the types are those of the primary dialect, also with a key of another
      const named = known ? 'primary' : dialect
      if (named) allHeaders.set('x-mayfly-dialect', named)
      const name = 'idempotency-key'
      if (method !== 'GET') {
        allHeaders.set(name, callOptions.idempotencyKey ?? allHeaders.get(name) ?? crypto.getRandomValues(new Uint32Array(4)).join('-'))
      }
      const create = (signal?: AbortSignal) => new Request(target, {
        method, headers: allHeaders, body: text, signal, redirect: 'manual',
        // frameworks that cache GET requests would hide new mail; some runtimes throw for an unknown `cache`
        ...'cache' in Request.prototype && { cache: 'no-store' },
      })
      return { method, url: create().url, create }
    } catch (cause) {
      maskError(cause, mask)
      throw new MayflyError(`${operation}: the request cannot be made: ${(cause as Error).message}`, { cause })
    }
  }
}

/** Reads an answer whose only member is `message`. */
export const messageAlone = <Body extends Message>(body: Body): Body | undefined => body.message === undefined ? undefined : body

/** @returns undefined unless `data` is an object or an array */
const objectOnly = <Data>(data: Data): Data | undefined => Object(data) === data ? data : undefined
