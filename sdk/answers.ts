import {
  ApiError, AuthenticationError, ConflictError, InvalidRequestError, NetworkError, NotFoundError, PermissionError, RateLimitError,
  ServerError, TimeoutError, UnexpectedAnswerError,
} from './errors.ts'
import type { ErrorBody } from './generated/types.gen.ts'
import type { Mask } from './masking.ts'

/** How much of the rate limit is left, as an answer told. */
export interface RateLimit {
  /** Requests that a window allows. */
  limit: number
  /** Requests left in this window. */
  remaining: number
  /** When the next window begins, on the server's clock. */
  resetAt: Date
}

/** @returns undefined when the answer does not tell */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const read = (name: string) => Number.parseInt(headers.get(`x-ratelimit-${name}`)!)
  const limit = read('limit')
  return limit >= 0 ? { limit, remaining: read('remaining'), resetAt: new Date(read('reset') * 1000) } : undefined
}

/**
 * Makes an error of a failed or unexpected answer. A key that the answer repeats is masked.
 * @param text its body; '' where it was not read
 * @param fault what is wrong with an answer that is not an error of Mayfly's
 */
export function toApiError(
  { status, headers }: Response, text: string, baseUrl: string, mask: Mask, fault = "which is not Mayfly's. Check baseUrl.",
): ApiError {
  const { error, code, details } = readErrorBody(text)
  const Class = classes[status] ?? (status >= 500 ? ServerError : status >= 400 ? InvalidRequestError : UnexpectedAnswerError)
  const type = headers.get('content-type')?.split(';')[0] || 'no content type'
  const masked = new Headers()
  for (const [name, value] of headers) masked.append(name, mask(value))
  return new Class(mask(error ?? `${baseUrl} answered ${status} with ${type}, ${fault}`), {
    status, headers: masked, code: code && mask(code) as typeof code, retryAfterMs: readRetryAfter(status, headers),
    details: details?.map(({ path, message }) => ({ path: mask(path), message: mask(message) })),
  })
}

const classes: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
}

function readErrorBody(text: string): Partial<ErrorBody> {
  try {
    const { error, code, details } = JSON.parse(text) as Partial<ErrorBody>
    if (typeof error === 'string' && typeof code === 'string') return { error, code, details: Array.isArray(details) ? details.filter(isDetail) : undefined }
  } catch { /* not JSON, so not from Mayfly */ }
  return {}
}

const isDetail = (detail: { path?: unknown, message?: unknown } | null) => typeof detail?.path === 'string' && typeof detail.message === 'string'

/** Seconds or an HTTP date; after 429 also the end of the window. */
function readRetryAfter(status: number, headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value && Number(value) >= 0) return Number(value) * 1000
  const reset = status === 429 ? readRateLimit(headers)?.resetAt.getTime() : undefined
  // against the server's own clock, when it shows one
  const ms = (Date.parse(value!) || reset!) - (Date.parse(headers.get('date')!) || Date.now())
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Faults that may be over at the next try. */
export const isPassing = (error: unknown): error is Error =>
  error instanceof NetworkError || error instanceof TimeoutError
  || error instanceof ApiError && (error.status > 499 ? ![501, 505, 507].includes(error.status) : [408, 429].includes(error.status))
