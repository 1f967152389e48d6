/** The rate limit, from the headers of an answer. */
export interface RateLimit {
  /** Requests allowed in a window. */
  limit: number
  /** Requests left in this window. */
  remaining: number
  /** When the next window begins, on the server's clock. */
  resetAt: Date
}

/** @returns undefined when the answer has no such headers */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const read = (name: string) => Number.parseInt(headers.get(`x-ratelimit-${name}`)!)
  const limit = read('limit')
  return limit >= 0 ? { limit, remaining: read('remaining'), resetAt: new Date(read('reset') * 1000) } : undefined
}
