import type { EmailSummary, ErrorBody, ErrorCode } from './generated/types.gen.ts'

/** Whatever this package throws, except the reason of your own abort signal. */
export class MayflyError extends Error {
  static { this.prototype.name = 'MayflyError' }
}

/** The server could not be reached, or the connection broke. `cause` is what the runtime reported. */
export class NetworkError extends MayflyError {
  static { this.prototype.name = 'NetworkError' }
}

/** A request or `emails.waitFor` took longer than its `timeoutMs`. */
export class TimeoutError extends MayflyError {
  static { this.prototype.name = 'TimeoutError' }

  /** What `emails.waitFor` found that did not match, oldest first. Empty for a request. */
  readonly arrived: readonly EmailSummary[]

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
  static { this.prototype.name = 'ApiError' }

  /** The HTTP status. */
  readonly status: number
  /** The kind of error. Undefined when the answer did not come from Mayfly, such as a proxy's 502. */
  readonly code: ErrorCode | undefined
  /** The members of the request at fault, with `INVALID_REQUEST`. Otherwise empty. */
  readonly details: readonly { path: string, message: string }[]
  /** The `X-Request-Id` of the answer, for the server's log. */
  readonly requestId: string | undefined
  /** Milliseconds to wait before the next try, from `Retry-After`. Undefined when the server gave none. */
  readonly retryAfterMs: number | undefined
  /** The headers of the answer. */
  declare readonly headers: Headers

  constructor(message: string, answer: ErrorAnswer, options?: ErrorOptions) {
    super(message, options)
    this.status = answer.status
    this.code = answer.code
    this.details = answer.details ?? []
    this.requestId = answer.headers.get('x-request-id') ?? undefined
    this.retryAfterMs = answer.retryAfterMs
    // not printed with the error: there are many
    Object.defineProperty(this, 'headers', { value: answer.headers, enumerable: false })
  }
}

/** 400, 405, 413, 415 or 422: the request breaks a rule of the API. `details` names the members. */
export class InvalidRequestError extends ApiError {
  static { this.prototype.name = 'InvalidRequestError' }
}

/** 401: the API key is missing, malformed, unknown or revoked. */
export class AuthenticationError extends ApiError {
  static { this.prototype.name = 'AuthenticationError' }
}

/** 403: the key lacks a scope (`MISSING_SCOPE`), or the plan does not include this (`PLAN_REQUIRED`). */
export class PermissionError extends ApiError {
  static { this.prototype.name = 'PermissionError' }
}

/** 404: nothing of this account has this id. */
export class NotFoundError extends ApiError {
  static { this.prototype.name = 'NotFoundError' }
}

/** 409: the present state does not allow it, such as an address that is taken. */
export class ConflictError extends ApiError {
  static { this.prototype.name = 'ConflictError' }
}

/** 429: too many requests. `retryAfterMs` says how long to wait. */
export class RateLimitError extends ApiError {
  static { this.prototype.name = 'RateLimitError' }
}

/** 500 and above: a fault of the server, or of a proxy before it. */
export class ServerError extends ApiError {
  static { this.prototype.name = 'ServerError' }
}

/** A success whose body is not Mayfly's, such as a web page. Most often `baseUrl` is wrong. */
export class UnexpectedAnswerError extends ApiError {
  static { this.prototype.name = 'UnexpectedAnswerError' }
}
