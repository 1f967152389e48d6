import type { EmailSummary, ErrorBody, ErrorCode } from '../generated/types.gen.ts'

/**
 * The base class of all errors of this package. Calls may also throw the reason of your abort signal, and the errors of your hooks.
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

/** The server could not be reached, or the connection broke. `cause` is the error of the runtime. */
export class NetworkError extends MayflyError {}

/** A call or `emails.waitFor` took longer than its `timeoutMs`. `cause` is the error of the last failed attempt, if there was one. */
export class TimeoutError extends MayflyError {
  /** The emails that arrived during `emails.waitFor` and did not match, oldest first. Empty for other calls. */
  declare readonly arrived: readonly EmailSummary[]

  constructor(message: string, options?: { cause?: unknown, arrived?: readonly EmailSummary[] }) {
    super(message, options)
    this.arrived = options?.arrived ?? []
  }
}

/** The parts of an answer that `ApiError` keeps. */
export interface ErrorAnswer {
  /** The call's operation, for the message. */
  operation?: string
  status: number
  headers: Headers
  code?: ErrorCode
  details?: ErrorBody['details']
  /** Milliseconds to wait before the next attempt, by the headers. */
  retryAfterMs?: number
}

/**
 * The server refused the call or failed. `message` is the server's message with the call:
 * `The address is taken. (addresses.create: 409 CONFLICT, request id 019c…)`.
 */
export class ApiError extends MayflyError {
  /** The server's message alone, for the users of your program. */
  declare readonly serverMessage: string
  /** The HTTP status. */
  declare readonly status: number
  /** The kind of error. Undefined when the answer is not Mayfly's, such as a proxy's 502. */
  declare readonly code: ErrorCode | undefined
  /** The invalid members of the request, with the code `INVALID_REQUEST`. Otherwise empty. */
  declare readonly details: readonly { path: string, message: string }[]
  /** The `X-Request-Id` of the answer, for the server's log. */
  declare readonly requestId: string | undefined
  /** Milliseconds to wait before the next attempt, from `Retry-After` or, with 429, `X-RateLimit-Reset`. Undefined without. */
  declare readonly retryAfterMs: number | undefined
  /** The headers of the answer. */
  declare readonly headers: Headers

  constructor(serverMessage: string, { operation, status, headers, code, details = [], retryAfterMs }: ErrorAnswer) {
    const requestId = headers.get('x-request-id') ?? undefined
    const facts = `${operation}: ${status}${code ? ` ${code}` : ''}${requestId ? `, request id ${requestId}` : ''}`
    super(operation ? `${serverMessage} (${facts})` : serverMessage)
    Object.assign(this, { status, code, details, requestId, retryAfterMs })
    // not enumerable, so that a printed error stays short
    Object.defineProperties(this, { headers: { value: headers }, serverMessage: { value: serverMessage } })
  }
}

/** 400 and any other 4xx, such as 405, 413, 415: the request breaks a rule of the API. `details` names the members. */
export class InvalidRequestError extends ApiError {}

/** 401: the API key is missing, malformed, unknown or revoked. */
export class AuthenticationError extends ApiError {}

/** 403: the key lacks a scope (`MISSING_SCOPE`), or the plan does not include this (`PLAN_REQUIRED`). */
export class PermissionError extends ApiError {}

/** 404: the account has no object with this id. */
export class NotFoundError extends ApiError {}

/** 409: the current state does not allow the change, such as an address that is taken. */
export class ConflictError extends ApiError {}

/** 429: too many requests. `retryAfterMs` says how long to wait. */
export class RateLimitError extends ApiError {}

/** 500 and above: a fault of the server, or of a proxy before it. */
export class ServerError extends ApiError {}

/** An answer that is not Mayfly's, such as a web page or a redirect. The usual reason is a wrong `baseUrl`. */
export class UnexpectedAnswerError extends ApiError {}

const errorClasses = {
  MayflyError, NetworkError, TimeoutError, ApiError, InvalidRequestError, AuthenticationError, PermissionError, NotFoundError,
  ConflictError, RateLimitError, ServerError, UnexpectedAnswerError,
}
// minifiers rename classes
for (const [value, { prototype }] of Object.entries(errorClasses)) Object.defineProperty(prototype, 'name', { value })
