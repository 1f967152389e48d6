import { MayflyError } from './errors.ts'
import { checkNames } from './unknown-names.ts'

/**
 * The options of a client. All are optional where the environment has `MAYFLY_API_KEY`.
 * @example
 * const mayfly = new Mayfly({
 *   baseUrl: 'https://mail.example.com', timeoutMs: 10_000, maxRetries: 5,
 *   hooks: { onRetry: ({ operation, error, delayMs }) => console.warn(`${operation} again in ${delayMs} ms: ${error.message}`) },
 * })
 */
export interface MayflyOptions {
  /** An API key, `svc_live_…` or `svc_test_…`. Default: the environment variable `MAYFLY_API_KEY`. */
  apiKey?: string
  /**
   * URL of the server; a name of this machine may stand alone, as in `localhost:3000`. Default: `MAYFLY_BASE_URL`, else
   * `http://localhost:3000`.
   */
  baseUrl?: string
  /** Used in place of the global `fetch`. Called with one `Request`. */
  fetch?: (request: Request) => Promise<Response>
  /** Milliseconds that a call may take, with all its attempts and its body. Default 30,000. */
  timeoutMs?: number
  /**
   * Milliseconds that a wait for mail takes without a `timeoutMs` of its own: less than the test runner gives to a test, so that the wait's
   * error is shown. Or a function that is called for each wait. Default 30,000.
   */
  waitTimeoutMs?: number | (() => number)
  /** Maximum number of attempts after the first; only transient errors are retried. Default 2. */
  maxRetries?: number
  /** Called for each request, answer and retry: for logs and measurements. */
  hooks?: Hooks
}

/**
 * The last parameter of every method.
 * @example
 * const address = await mayfly.addresses.create({ alias: 'order-1042' }, {
 *   idempotencyKey: 'order-1042', timeoutMs: 5_000, signal: AbortSignal.timeout(60_000), headers: { 'X-Mayfly-Fault': 'delay=800' },
 *   onResponse: ({ status, durationMs, requestId }) => console.log(status, durationMs, requestId),
 * })
 */
export interface RequestOptions {
  /** Ends the call; the promise rejects with the signal's reason. */
  signal?: AbortSignal
  /** Milliseconds that the call may take, with all its attempts. Default: the client's. */
  timeoutMs?: number
  /** Maximum number of attempts after the first. Default: the client's. */
  maxRetries?: number
  /**
   * For 24 hours the server carries out a change once for each key, and answers repetitions with the first answer: 1 to 255 visible ASCII
   * characters. Default: a random key for each call, shared by its attempts.
   */
  idempotencyKey?: string
  /** Additional headers. */
  headers?: Record<string, string>
  /** Called for each answer of this call, as `hooks.onResponse` is for all. */
  onResponse?: (event: ResponseEvent) => void
}

/**
 * The last parameter of `mayfly.request`.
 * @example
 * const page = await mayfly.request('GET', '/emails', { query: { limit: 5 }, dialect: 'classic', timeoutMs: 5_000 })
 * console.log(JSON.stringify(page))
 */
export interface RawRequestOptions extends RequestOptions {
  /** Parameters of the query. Those that are null or undefined are left out. */
  query?: Record<string, string | number | boolean | Date | null | undefined>
  /** Sent as JSON. */
  body?: unknown
  /** The dialect of the request and of its answer. Default: that of the key. */
  dialect?: 'primary' | 'classic'
}

/**
 * Functions that a client calls for its requests. Their parameters have no key and no body. The call throws the errors that they throw.
 * @example
 * const slow = new Mayfly({ hooks: { onResponse: ({ operation, durationMs }) => {
 *   if (durationMs > 1_000) console.warn(`${operation} took ${durationMs} ms`)
 * } } })
 */
export interface Hooks {
  /** Called before a request is sent. */
  onRequest?: (event: RequestEvent) => void
  /** Called when the headers of an answer have arrived, whatever its status. */
  onResponse?: (event: ResponseEvent) => void
  /** Called after a failed attempt that is followed by another. */
  onRetry?: (event: RetryEvent) => void
}

export interface RequestEvent {
  /** The operation's name in the API: `addresses.create`. Of `mayfly.request`, method and path: `POST /addresses`. */
  operation: string
  method: string
  url: string
  /** 1 for the first attempt. */
  attempt: number
}

export interface ResponseEvent extends RequestEvent {
  status: number
  /** Milliseconds since the request was sent. */
  durationMs: number
  /** The `X-Request-Id` of the answer, for the server's log. */
  requestId: string | undefined
}

export interface RetryEvent extends RequestEvent {
  /** The error of the failed attempt. */
  error: Error
  /** Milliseconds until the next attempt. */
  delayMs: number
}

const clientOptionNames = {
  apiKey: true, baseUrl: true, fetch: true, timeoutMs: true, waitTimeoutMs: true, maxRetries: true, hooks: true,
} satisfies Record<keyof MayflyOptions, true>
const hookNames = { onRequest: true, onResponse: true, onRetry: true } satisfies Record<keyof Hooks, true>
export const requestOptionNames = {
  signal: true, timeoutMs: true, maxRetries: true, idempotencyKey: true, headers: true, onResponse: true,
} satisfies Record<keyof RequestOptions, true>
export const rawOptionNames: Record<keyof RawRequestOptions, true> =
  /* @__PURE__ */ Object.assign({ query: true, body: true, dialect: true } as const, requestOptionNames)

/** @param place for the error: `new Mayfly()` @throws MayflyError for an unknown option or hook */
export function checkClientOptions(options: MayflyOptions, place: string): void {
  checkNames(options, clientOptionNames, place)
  checkNames(options.hooks, hookNames, `${place}, hooks`)
}

/** @throws MayflyError when there is no key, or the key cannot be sent in a header */
export function readApiKey({ apiKey = environment('MAYFLY_API_KEY') }: MayflyOptions): string {
  // JavaScript may pass another type
  const key = typeof apiKey === 'string' && apiKey.trim()
  if (!key) throw new MayflyError('new Mayfly() needs an apiKey, or the variable MAYFLY_API_KEY')
  // `Headers` refuses other characters, with a message that repeats the key
  if (!/^[\x21-\x7e]+$/.test(key)) throw new MayflyError('The apiKey has characters that no API key has. Give the key alone, without "Bearer".')
  return key
}

/** @throws MayflyError when `baseUrl` is not the URL of a server */
export function readBaseUrl({ baseUrl = environment('MAYFLY_BASE_URL') || 'http://localhost:3000' }: MayflyOptions): string {
  try {
    // another host without a protocol is refused: http would send it the key in plain text
    const { protocol, username, password, search, hash, origin, pathname } = new URL(baseUrl.replace(/^\s*(?=(localhost|127(\.\d+){3}|\[::1])([:/]|\s*$))/i, 'http://'))
    if (/^https?:$/.test(protocol) && !(username + password + search + hash)) return origin + pathname.replace(/\/+$/, '').replace(/\/+api\/v1$/, '')
  } catch { /* not a URL */ }
  throw new MayflyError('baseUrl, or MAYFLY_BASE_URL, must be an http or https URL such as http://localhost:3000, without a password or a query')
}

/** @throws MayflyError unless the time is a number above 0; `Infinity` is allowed */
export function checkTimeout(timeoutMs: number, name = 'timeoutMs'): number {
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0)) throw new MayflyError(`${name} must be a number above 0`)
  return timeoutMs
}

/** @throws MayflyError unless `maxRetries` is a number from 0 on; `Infinity` is allowed */
export function checkRetries(maxRetries: number): number {
  if (typeof maxRetries !== 'number' || !(maxRetries >= 0)) throw new MayflyError('maxRetries must be a number from 0 on')
  return maxRetries
}

/**
 * @returns a function that returns the milliseconds of a wait; it throws a MayflyError when a function `waitTimeoutMs` returns no number
 * above 0
 * @throws MayflyError when `waitTimeoutMs` is neither a function nor a number above 0
 */
export function readWaitTimeout({ waitTimeoutMs = 30_000 }: MayflyOptions): () => number {
  const read = () => checkTimeout(typeof waitTimeoutMs === 'function' ? waitTimeoutMs() : waitTimeoutMs, 'waitTimeoutMs')
  if (typeof waitTimeoutMs !== 'function') read()
  return read
}

/** An environment variable; undefined where the runtime has none or denies access. */
function environment(name: string): string | undefined {
  try {
    return (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env[name]
  } catch {
    return undefined
  }
}
