import cors from '@koa/cors'
import type { Middleware } from 'koa'

const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'X-Request-Id']

/**
 * Lets pages of these origins call the API; `*` stands for every one.
 * @param more headers of answers that they may read beside those of the contract
 */
export const openCors = (origins: string[], more: string[] = []): Middleware => cors({
  origin: (ctx) => origins.includes('*') || origins.includes(ctx.get('origin')) ? ctx.get('origin') : '',
  exposeHeaders: [...rateLimitHeaders, 'Content-Disposition', 'X-Mayfly-Cursor', 'Idempotency-Replayed', ...more],
  maxAge: 600,
})
