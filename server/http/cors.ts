import cors from '@koa/cors'
import type { Middleware } from 'koa'

const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'X-Request-Id']

/**
 * Allows pages of these origins to call the API; `*` allows every origin.
 * @param more response headers that the pages may read, beside those of the contract
 */
export const openCors = (origins: string[], more: string[] = []): Middleware => cors({
  origin: (ctx) => origins.includes('*') || origins.includes(ctx.get('origin')) ? ctx.get('origin') : '',
  exposeHeaders: [...rateLimitHeaders, 'Content-Disposition', 'X-Mayfly-Cursor', 'Idempotency-Replayed', ...more],
  maxAge: 600,
})
