import type { IncomingMessage } from 'node:http'
import { finished, Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Context, Next } from 'koa'
import { waitAtMost } from '../deadline.ts'
import type { HttpLimits } from './limits.ts'

/**
 * Closes the connection of a request whose body was not read to its end, because it was refused or is too long. The response is sent
 * at once. Then the rest of the body is read within limits (lingering close): a TCP reset would discard the response before a caller
 * that still sends has read it.
 * @see RFC 9112, section 9.6
 */
export const closeUnread = (limits: HttpLimits) => async (ctx: Context, next: Next) => {
  await next()
  // the response may be ready before the parser reaches the end of a body in the same packet
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

/** Resolves at the end of the body, when the caller disconnects, or after `maxLingerMs`. */
function linger(req: IncomingMessage, { maxLingerMs, maxLingerBytes }: HttpLimits) {
  let bytes = 0
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxLingerBytes) req.pause()
  })
  return waitAtMost(maxLingerMs, new Promise<void>((resolve) => { finished(req, () => resolve()) }))
}
