import { MayflyError } from './errors.ts'

/**
 * How a client is made. All of it may be left out where the environment has `MAYFLY_API_KEY`.
 * @example
 * const mayfly = new Mayfly({
 *   baseUrl: 'https://mail.example.com', timeoutMs: 10_000, maxRetries: 5,
 *   hooks: { onRetry: ({ operation, error, delayMs }) => console.warn(`${operation} again in ${delayMs} ms: ${error.message}`) },
 * })
 */
export interface MayflyOptions {
  /** An API key, `svc_live_…` or `svc_test_…`. Default: the environment variable `MAYFLY_API_KEY`, where there is one. */
  apiKey?: string
  /** Where the server is, without `/api/v1`. Default: `MAYFLY_BASE_URL`, else `http://localhost:3000`. */
  baseUrl?: string
  /** Used in place of the global `fetch`. Called with one `Request`. */
  fetch?: (request: Request) => Promise<Response>
  /** How long a call may take, all its tries and its body included, in milliseconds. Default 30,000. */
  timeoutMs?: number
  /** How often a call that failed for a reason that may pass is tried again. Default 2. */
  maxRetries?: number
  /** Told what is sent and what comes back: for logs and measurements. */
  hooks?: Hooks
}

/**
 * What every method takes as its last argument.
 * @example
 * const address = await mayfly.addresses.create({ alias: 'order-1042' }, {
 *   idempotencyKey: 'order-1042', timeoutMs: 5_000, signal: AbortSignal.timeout(60_000), headers: { 'X-Mayfly-Fault': 'delay=800' },
 *   onResponse: ({ status, durationMs, requestId }) => console.log(status, durationMs, requestId),
 * })
 */
export interface RequestOptions {
  /** Ends the call; the promise rejects with the signal's reason. */
  signal?: AbortSignal
  /** How long the call may take, all its tries included, in milliseconds. Default: the client's. */
  timeoutMs?: number
  /** How often it is tried again. Default: the client's. */
  maxRetries?: number
  /**
   * With the same key a server does a change once, however often it is asked to, for 24 hours: 1 to 255 visible ASCII
   * characters. Default: a random one for each call, which its tries share.
   */
  idempotencyKey?: string
  /** Further headers. */
  headers?: Record<string, string>
  /** Told of each answer, as `hooks.onResponse` is. */
  onResponse?: (event: ResponseEvent) => void
}

/**
 * Functions that are told what a client does. None of them is shown a key or a body. What they throw, the call throws.
 * @example
 * const slow = new Mayfly({ hooks: { onResponse: ({ operation, durationMs }) => {
 *   if (durationMs > 1_000) console.warn(`${operation} took ${durationMs} ms`)
 * } } })
 */
export interface Hooks {
  /** A request is about to be sent. */
  onRequest?: (event: RequestEvent) => void
  /** An answer has begun, of whatever status. */
  onResponse?: (event: ResponseEvent) => void
  /** A try has failed; another will be made. */
  onRetry?: (event: RetryEvent) => void
}

export interface RequestEvent {
  /** What is called, as the API names it: `addresses.create`. */
  operation: string
  method: string
  url: string
  /** 1 for the first try. */
  attempt: number
}

export interface ResponseEvent extends RequestEvent {
  status: number
  /** Milliseconds since it was sent. */
  durationMs: number
  /** The `X-Request-Id` of the answer, for the server's log. */
  requestId: string | undefined
}

export interface RetryEvent extends RequestEvent {
  /** Why the try failed. */
  error: Error
  /** Milliseconds until the next. */
  delayMs: number
}

/** @throws MayflyError when the options hold none, or one that cannot be sent */
export function readApiKey({ apiKey = environment('MAYFLY_API_KEY') }: MayflyOptions): string {
  const key = apiKey?.trim()
  if (!key) throw new MayflyError('new Mayfly() needs an apiKey, or the variable MAYFLY_API_KEY')
  // a header refuses the rest, with a message that would show the key
  if (!/^[\x21-\x7e]+$/.test(key)) throw new MayflyError('The apiKey holds characters that no API key has')
  return key
}

/** @throws MayflyError when it is not the URL of a server */
export function readBaseUrl({ baseUrl = environment('MAYFLY_BASE_URL') || 'http://localhost:3000' }: MayflyOptions): string {
  try {
    const { protocol, username, password, origin, pathname } = new URL(baseUrl)
    const path = pathname.replace(/\/+$/, '')
    if (/^https?:$/.test(protocol) && !username && !password && !path.endsWith('/api/v1')) return origin + path
  } catch { /* no URL at all */ }
  throw new MayflyError('baseUrl, or MAYFLY_BASE_URL, must be an http or https URL such as http://localhost:3000, without a password and without /api/v1')
}

/** @throws MayflyError unless it is a number of milliseconds above 0; `Infinity` is one */
export function checkTimeout(timeoutMs: number): number {
  if (!(timeoutMs > 0)) throw new MayflyError('timeoutMs must be above 0')
  return timeoutMs
}

/** A variable, where the runtime has them and allows to read them. */
function environment(name: string): string | undefined {
  try {
    return (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env[name]
  } catch {
    return undefined
  }
}
