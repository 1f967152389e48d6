import {
  ApiError, AuthenticationError, ConflictError, InvalidRequestError, NotFoundError, PermissionError, RateLimitError,
  ServerError,
} from './errors.ts'
import type { ErrorAnswer } from './errors.ts'
import type { ErrorBody } from './generated/types.gen.ts'

/** An answer that is no success, as an error. */
export function toApiError(response: Response, text: string): ApiError {
  const body = readErrorBody(text)
  const Class = classes[response.status] ?? (response.status >= 500 ? ServerError : ApiError)
  return new Class(body?.error ?? describeForeign(response), {
    status: response.status,
    headers: response.headers,
    code: body?.code,
    details: body?.details,
    retryAfterMs: readRetryAfter(response.headers),
  })
}

const classes: Record<number, new (message: string, answer: ErrorAnswer) => ApiError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  405: InvalidRequestError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
}

function readErrorBody(text: string): ErrorBody | undefined {
  try {
    const body: Partial<ErrorBody> | null = JSON.parse(text)
    if (typeof body?.error !== 'string' || typeof body.code !== 'string') return undefined
    return { error: body.error, code: body.code, details: Array.isArray(body.details) ? body.details : undefined }
  } catch {
    return undefined
  }
}

/** Names an answer that did not come from Mayfly. */
function describeForeign(response: Response) {
  const status = [response.status, response.statusText].filter(Boolean).join(' ')
  return `The answer was ${status} with ${describeType(response)}, which is not Mayfly's. `
    + (response.status >= 500 ? 'A proxy may have no server behind it.' : 'Check baseUrl.')
}

/** "text/html", or "no body type". */
export function describeType({ headers }: Response): string {
  return headers.get('content-type')?.split(';')[0]?.trim() || 'no content type'
}

/** Seconds or an HTTP date. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
  // against the server's own clock, when it shows one
  const ms = Date.parse(value) - (Date.parse(headers.get('date') ?? '') || Date.now())
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
