import type { EmailSummary, ErrorBody, ErrorCode } from './generated/types.gen.ts'

/**
 * Whatever this package throws, except the reason of your own abort signal, and what your hooks throw.
 * @example
 * const { ConflictError, RateLimitError, MayflyError } = sdk
 * try {
 *   await mayfly.addresses.create({ alias: 'signup-42' })
 * } catch (error) {
 *   if (error instanceof ConflictError) console.log('taken:', error.message)
 *   else if (error instanceof RateLimitError) console.log(`wait for ${error.retryAfterMs} ms`)
 *   else if (error instanceof MayflyError) console.log(error.name, error.message)
 *   else throw error
 * }
 */
export class MayflyError extends Error {}

/** The server could not be reached, or the connection broke. `cause` is what the runtime reported. */
export class NetworkError extends MayflyError {}

/** A call or `emails.waitFor` took longer than its `timeoutMs`. `cause` is what failed last, if anything did. */
export class TimeoutError extends MayflyError {
  /** What `emails.waitFor` found that did not match, oldest first. Empty for a call. */
  declare readonly arrived: readonly EmailSummary[]

  constructor(message: string, options?: { cause?: unknown, arrived?: readonly EmailSummary[] }) {
    super(message, options)
    this.arrived = options?.arrived ?? []
  }
}

/** What an answer told, as `ApiError` keeps it. */
export interface ErrorAnswer {
  status: number
  headers: Headers
  code?: ErrorCode
  details?: ErrorBody['details']
  /** Milliseconds to wait before the next try, when the server said so. */
  retryAfterMs?: number
}

/** The server answered, but not with what was asked for. `message` is the server's own sentence. */
export class ApiError extends MayflyError {
  /** The HTTP status. */
  declare readonly status: number
  /** The kind of error. Undefined when the answer did not come from Mayfly, such as a proxy's 502. */
  declare readonly code: ErrorCode | undefined
  /** The members of the request at fault, with `INVALID_REQUEST`. Otherwise empty. */
  declare readonly details: readonly { path: string, message: string }[]
  /** The `X-Request-Id` of the answer, for the server's log. */
  declare readonly requestId: string | undefined
  /** Milliseconds to wait before the next try, from `Retry-After` or, with 429, `X-RateLimit-Reset`. Undefined without. */
  declare readonly retryAfterMs: number | undefined
  /** The headers of the answer. */
  declare readonly headers: Headers

  constructor(message: string, { status, headers, code, details = [], retryAfterMs }: ErrorAnswer) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.requestId = headers.get('x-request-id') ?? undefined
    this.retryAfterMs = retryAfterMs
    // not printed with the error: there are many
    Object.defineProperty(this, 'headers', { value: headers })
  }
}

/** 400 and any other 4xx, such as 405, 413, 415: the request breaks a rule of the API. `details` names the members. */
export class InvalidRequestError extends ApiError {}

/** 401: the API key is missing, malformed, unknown or revoked. */
export class AuthenticationError extends ApiError {}

/** 403: the key lacks a scope (`MISSING_SCOPE`), or the plan does not include this (`PLAN_REQUIRED`). */
export class PermissionError extends ApiError {}

/** 404: nothing of this account has this id. */
export class NotFoundError extends ApiError {}

/** 409: the present state does not allow it, such as an address that is taken. */
export class ConflictError extends ApiError {}

/** 429: too many requests. `retryAfterMs` says how long to wait. */
export class RateLimitError extends ApiError {}

/** 500 and above: a fault of the server, or of a proxy before it. */
export class ServerError extends ApiError {}

/** An answer that is not Mayfly's, such as a web page or a redirect. Most often `baseUrl` is wrong. */
export class UnexpectedAnswerError extends ApiError {}

const kinds = {
  MayflyError, NetworkError, TimeoutError, ApiError, InvalidRequestError, AuthenticationError, PermissionError, NotFoundError,
  ConflictError, RateLimitError, ServerError, UnexpectedAnswerError,
}
// the names of classes do not last when code is minified
for (const [value, { prototype }] of Object.entries(kinds)) Object.defineProperty(prototype, 'name', { value })
