import cors from '@koa/cors'
import type { Middleware } from 'koa'

/** The headers of answers in the contract. */
const headers = [
  'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'X-Request-Id', 'Content-Disposition',
  'X-Mayfly-Cursor', 'Idempotency-Replayed',
]

/**
 * Allows pages of these origins to call the API; `*` allows every origin.
 * @param more further headers that the pages may read
 */
export const openCors = (origins: string[], more: string[] = []): Middleware => cors({
  origin: (ctx) => origins.includes('*') || origins.includes(ctx.get('origin')) ? ctx.get('origin') : '',
  exposeHeaders: [...headers, ...more],
  maxAge: 600,
})
