import type { ErrorBody } from '../generated/types.gen.ts'
import {
  ApiError, AuthenticationError, ConflictError, InvalidRequestError, NotFoundError, PermissionError, RateLimitError, ServerError,
  UnexpectedAnswerError,
} from './errors.ts'
import type { Mask } from './masking.ts'
import { readRateLimit } from './rate-limit.ts'

/** The call of an answer. */
export interface About {
  operation: string
  baseUrl: string
  mask: Mask
}

/**
 * Makes the error of a failed or unexpected answer. The API key is masked where the answer repeats it.
 * @param text the body; '' where it was not read
 * @param fault end of the message for an answer that is not an error of Mayfly
 */
export function toApiError(
  { status, headers }: Response, text: string, { operation, baseUrl, mask }: About, fault = `which is not Mayfly's. ${hintOf(text)}`,
): ApiError {
  const { error, code, details } = readErrorBody(text)
  const Class = errorClasses[status] ?? (status >= 500 ? ServerError : status >= 400 ? InvalidRequestError : UnexpectedAnswerError)
  const type = headers.get('content-type')?.split(';')[0] || 'no content type'
  const masked = new Headers()
  for (const [name, value] of headers) masked.append(name, mask(value))
  return new Class(mask(error ?? `${baseUrl} answered ${status} with ${type}, ${fault}`), {
    operation, status, headers: masked, code: code && mask(code) as typeof code, retryAfterMs: readRetryAfter(status, headers),
    details: details?.map(({ path, message }) => ({ path: mask(path), message: mask(message) })),
  })
}

/** The way out after an answer that is not Mayfly's. Servers with TLS answer a request in plain HTTP with a 400 whose text names HTTPS. */
const hintOf = (text: string) => /HTTP request.*HTTPS (port|server)/i.test(text) ? 'Use https:// in baseUrl.' : 'Check baseUrl.'

const errorClasses: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
}

/** Of the classic dialect. */
interface ClassicErrorBody {
  success: false
  error: Pick<ErrorBody, 'code' | 'details'> & { message: string }
}

function readErrorBody(text: string): Partial<ErrorBody> {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | ClassicErrorBody
    const { error, code, details }: Partial<ErrorBody> = 'success' in body ? { ...body.error, error: body.error.message } : body
    if (typeof error === 'string' && typeof code === 'string') return { error, code, details: Array.isArray(details) ? details.filter(isDetail) : undefined }
  } catch { /* not JSON, so not an answer of Mayfly */ }
  return {}
}

const isDetail = (detail: { path?: unknown, message?: unknown } | null) => typeof detail?.path === 'string' && typeof detail.message === 'string'

/** Reads `Retry-After`, which is in seconds or an HTTP date, or for a 429 the end of the window. @returns milliseconds */
function readRetryAfter(status: number, headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value && Number(value) >= 0) return Number(value) * 1000
  // Date.parse takes -1 for a date
  const date = Number(value) < 0 ? NaN : Date.parse(value!)
  const reset = status === 429 ? readRateLimit(headers)?.resetAt.getTime() : undefined
  // relative to the server's clock if the answer has a `Date`
  const ms = (date || reset!) - (Date.parse(headers.get('date')!) || Date.now())
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
