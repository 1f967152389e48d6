import type { ErrorCode } from './contract/types.gen.ts'

/** What a caller is told to mend: `path` names the member (`body.alias`, `query.limit`). */
export interface ErrorDetail {
  path: string
  message: string
}

/** HTTP status of every code of the contract. */
export const statusOf = {
  INVALID_REQUEST: 400,
  INVALID_API_KEY: 401,
  MISSING_SCOPE: 403,
  PLAN_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  ALREADY_VERIFIED: 409,
  NOT_VERIFIED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  STORAGE_FULL: 507,
} as const satisfies Record<ErrorCode, number>

/** A refusal with a reason that a stranger may read: it names the field and the way out, never a table or a path. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined
  /** Seconds after which another attempt makes sense, where that is known. */
  retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, details?: ErrorDetail[]) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }

  get status(): number {
    return statusOf[this.code]
  }
}

/**
 * Refuses one member of a request.
 * @param path names the member (`body.alias`, `header.Idempotency-Key`)
 * @param message what the member has to be, without its name and without a final period
 * @param wayOut further sentences of the error, which the detail leaves out
 */
export const invalidRequest = (path: string, message: string, wayOut = ''): AppError =>
  new AppError('INVALID_REQUEST', [`${path}: ${message}.`, wayOut].filter(Boolean).join(' '), [{ path, message }])

/** @param retryAfterSeconds the `Retry-After` of the response */
export function rateLimited(message: string, retryAfterSeconds = 1): AppError {
  const error = new AppError('RATE_LIMITED', message)
  error.retryAfter = retryAfterSeconds
  return error
}

/** The account has reached `MAYFLY_MAX_ACCOUNT_BYTES`. */
export class AccountFullError extends AppError {
  constructor() {
    super('STORAGE_FULL', 'This account has as much mail as it may store. Delete addresses, or wait until old mail is removed.')
  }
}
