import type { ErrorCode } from './contract/types.gen.ts'

/** A member of a request, as errors name it. */
export type MemberPath = `${'path' | 'query' | 'header' | 'body'}.${string}`

/** A fault of a request: `path` names the member (`body.alias`, `query.limit`). */
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

interface ErrorOptions {
  details?: ErrorDetail[] | undefined
  /** In place of the status of the code. */
  status?: number
}

/** A refusal with a reason that a stranger may read: it names the field and the way out, never a table or a path. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined
  readonly status: number
  /** Seconds after which another attempt makes sense, where that is known. */
  retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, { details, status = statusOf[code] }: ErrorOptions = {}) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.status = status
    this.details = details
  }
}

/**
 * Refuses one member of a request.
 * @param path names the member (`body.alias`, `header.Idempotency-Key`)
 * @param message the requirement that the member does not meet, without its name and without a final period
 * @param wayOut further sentences of the error, which the detail leaves out
 */
export const invalidRequest = (path: MemberPath, message: string, wayOut = ''): AppError =>
  invalidInput([`${path}: ${message}.`, wayOut].filter(Boolean).join(' '), [{ path, message }])

/** `INVALID_REQUEST` with whole sentences: for several members, or for input that is no request. */
export const invalidInput = withCode('INVALID_REQUEST')
export const invalidApiKey = withCode('INVALID_API_KEY')
export const missingScope = withCode('MISSING_SCOPE')
export const keyIsBound = (): AppError => missingScope('This key is bound to some addresses, and this is not of one of them. Use a key without bounds.')
export const planRequired = withCode('PLAN_REQUIRED')
/** `NOT_FOUND` with whole sentences: for what a request does not name by its id. */
export const nothingFound = withCode('NOT_FOUND')
export const conflict = withCode('CONFLICT')
export const alreadyVerified = withCode('ALREADY_VERIFIED')
export const notVerified = withCode('NOT_VERIFIED')
export const payloadTooLarge = withCode('PAYLOAD_TOO_LARGE')
export const unsupportedMediaType = withCode('UNSUPPORTED_MEDIA_TYPE')
export const internalError = withCode('INTERNAL_ERROR')
export const storageFull = withCode('STORAGE_FULL')

/** `INVALID_REQUEST` with the status that HTTP has for a fault. */
export const malformedRequest = (status: number, message: string): AppError => withCode('INVALID_REQUEST', status)(message)

/** @param kind of resource that the id of the request does not name: `address`, `forwarding address` */
export const notFound = (kind: string): AppError => nothingFound(`There is no ${kind} with this id.`)

export const noAttachment = (): AppError => nothingFound('There is no attachment with this id on an email with this id.')

/** @param allowed the methods of the path */
export const methodNotAllowed = (allowed: string): AppError => withCode('METHOD_NOT_ALLOWED')(`This path takes ${allowed}.`)

/** Browsers take any answer without the headers of CORS for a refusal, and show its text in their tools alone. */
export const originNotAllowed = (): AppError =>
  withCode('METHOD_NOT_ALLOWED')('MAYFLY_CORS_ORIGINS of this server does not name the origin of the page that asks.')

/** @param kind of resource, in the plural; @param max of an account and mode */
export const limitReached = (kind: string, max: number): AppError =>
  conflict(`There are ${max} ${kind} already, which is as many as there may be. Delete one first.`)

export const bodyTooLarge = (maxBytes: number): AppError => payloadTooLarge(`The body is larger than ${maxBytes / 1024 / 1024} MiB.`)

export const publicBodyTooLarge = (maxBytes: number): AppError =>
  payloadTooLarge(`The body is larger than ${maxBytes / 1024} KiB, or its length is not known.`)

/** @param retryAfterSeconds the `Retry-After` of the response */
export const rateLimited = (message: string, retryAfterSeconds = 1): AppError =>
  Object.assign(withCode('RATE_LIMITED')(message), { retryAfter: retryAfterSeconds })

function withCode(code: ErrorCode, status: number = statusOf[code]) {
  return (message: string, details?: ErrorDetail[]): AppError => new AppError(code, message, { details, status })
}

/** By the part of the service that does not answer: the message, and `Retry-After` in seconds. */
const unavailable = {
  database: { text: 'This server cannot use its database at the moment. Try again in some seconds.', retryAfter: 5 },
  sources: { text: 'This server cannot read the content of this mail at the moment. Try again in some seconds.', retryAfter: 5 },
  cell: { text: 'A part of this service does not answer at the moment. Try again in some seconds.', retryAfter: 5 },
  account: { text: 'This account moves to another database of this service. Try again in some seconds.', retryAfter: 1 },
  place: { text: 'The part of this service that has this account is looked up again. Try again in a second.', retryAfter: 1 },
}
type Part = keyof typeof unavailable

/**
 * The database, the store of the sources of mail, or the cell that has the account, or may have it, does not answer; or the account is held
 * for its move to another database, or was moved. Nothing was changed, except perhaps by a request or mail that another cell was sent.
 */
export class UnavailableError extends AppError {
  readonly part: Part

  /** @param reason for the log: the message for the caller does not contain it */
  constructor(part: Part, reason?: unknown) {
    const { text, retryAfter } = unavailable[part]
    super('INTERNAL_ERROR', text, { status: 503 })
    this.part = part
    this.cause = reason
    this.retryAfter = retryAfter
  }
}

export const isUnavailable = (part: Part, error: unknown): error is UnavailableError =>
  error instanceof UnavailableError && error.part === part

/** A reply of SMTP: its code (RFC 5321, section 4.2.3), its enhanced status (RFC 3463, section 2) and a sentence in ASCII. */
export interface SmtpReply {
  code: number
  status: string
  text: string
}

/** A mail or a command of SMTP that is refused with another reply than that of its code. */
export class MailRefusedError extends AppError {
  /** Null for a connection that is dropped. */
  readonly reply: SmtpReply | null
  /** The address that refuses it, of several the first one; undefined where none does. */
  readonly addressId: string | undefined

  constructor(code: ErrorCode, message: string, reply: SmtpReply | null, addressId?: string) {
    super(code, message)
    this.reply = reply
    this.addressId = addressId
  }
}

/** A recipient has characters beyond ASCII, and MAIL had no SMTPUTF8 (RFC 6531, section 3.5). */
export const utf8Needed = (): MailRefusedError => new MailRefusedError('INVALID_REQUEST', 'A recipient beyond ASCII needs SMTPUTF8.',
  { code: 553, status: '5.6.7', text: 'A recipient beyond ASCII needs SMTPUTF8' })

/** `MAYFLY_SOURCES_MAX_WAITING_BYTES` wait for the store. RFC 3463, section 3.4: a full system. */
export const tooManySourcesWait = (): MailRefusedError => new MailRefusedError(
  'STORAGE_FULL', 'This server has no room for mail at the moment. Try again later.',
  { code: 451, status: '4.3.1', text: 'No room for mail at the moment, try again later' })

/** The account has reached `MAYFLY_MAX_ACCOUNT_BYTES`. */
export const accountFull = (addressId: string): MailRefusedError => new MailRefusedError(
  'STORAGE_FULL', 'This account has as much mail as it may store. Delete addresses, or wait until old mail is removed.',
  { code: 452, status: '4.2.2', text: 'The mailbox is full, try again later' }, addressId)

/** The address, or the network of the client, has had more tries than its rate allows. */
export const tooManyTries = (addressId: string): MailRefusedError => new MailRefusedError(
  'RATE_LIMITED', 'The tries at this address are too many. Try again later.',
  { code: 450, status: '4.7.0', text: 'Too many tries at this address, try again later' }, addressId)
