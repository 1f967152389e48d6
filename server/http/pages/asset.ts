import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context } from 'koa'

/** A text that does not change while the server runs. */
export interface Asset {
  type: string
  text: Buffer
  zipped: Buffer
  hash: string
}

/** Maximum characters of an `Accept-Encoding` that is parsed: sorting a longer one takes milliseconds. */
const maxAcceptLength = 256

export async function toAsset(type: string, content: string): Promise<Asset> {
  const text = Buffer.from(content)
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  return { type, text, zipped: await promisify(gzip)(text), hash }
}

/** @param caching the `Cache-Control` of the answer */
export function sendAsset(ctx: Context, { type, text, zipped, hash }: Asset, caching: string) {
  const isZipped = ctx.get('accept-encoding').length <= maxAcceptLength && ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  ctx.status = 200
  ctx.set('Cache-Control', caching)
  ctx.vary('Accept-Encoding')
  ctx.etag = isZipped ? `${hash}-gzip` : hash
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  if (isZipped) ctx.set('Content-Encoding', 'gzip')
  ctx.set('Content-Type', type)
  ctx.body = isZipped ? zipped : text
}
