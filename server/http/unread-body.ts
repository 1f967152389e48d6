import type { IncomingMessage } from 'node:http'
import { finished, Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Context, Next } from 'koa'
import type { HttpLimits } from './limits.ts'

/**
 * Ends the connection of a request whose body was not read to its end: refused before, or too long. The answer goes out at once.
 * Then the rest is read within bounds (lingering close), as a reset would take the answer from a caller that still sends.
 * @see RFC 9112, section 9.6
 */
export const closeUnread = (limits: HttpLimits) => async (ctx: Context, next: Next) => {
  await next()
  // an answer may be made before the parser goes on to the end of what came in the same packet
  if (!ctx.req.complete) await setImmediate()
  if (ctx.req.complete) return
  ctx.set('Connection', 'close')
  if (ctx.body === null || ctx.body === undefined || ctx.method === 'HEAD') return
  if (ctx.body instanceof Readable) {
    ctx.body = Readable.from(andLinger(ctx.body, ctx.req, limits), { objectMode: false })
    return
  }
  const bytes = Buffer.isBuffer(ctx.body) ? ctx.body : Buffer.from(typeof ctx.body === 'string' ? ctx.body : JSON.stringify(ctx.body))
  ctx.body = Readable.from(andLinger([bytes], ctx.req, limits), { objectMode: false })
  ctx.length = bytes.length
}

async function* andLinger(answer: AsyncIterable<Uint8Array> | Uint8Array[], req: IncomingMessage, limits: HttpLimits) {
  yield* answer
  await linger(req, limits)
}

/** Resolves when the body is over, the caller has hung up, or the time is. */
function linger(req: IncomingMessage, { lingerMs, lingerBytes }: HttpLimits) {
  return new Promise<void>((resolve) => {
    let bytes = 0
    const timer = setTimeout(resolve, lingerMs)
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > lingerBytes) req.pause()
    })
    finished(req, () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
