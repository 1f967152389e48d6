import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Router from '@koa/router'
import type { Context } from 'koa'

/** A text that does not change while the server runs. */
export interface Asset {
  type: string
  text: Buffer
  zipped: Buffer
  /** Compressed by Brotli; undefined for assets that are made while the server runs. */
  brotli: Buffer | undefined
  hash: string
}

/** Maximum characters of an `Accept-Encoding` that is parsed: sorting a longer one takes milliseconds. */
const maxAcceptLength = 256

export async function toAsset(type: string, content: string | Buffer, brotli?: Buffer): Promise<Asset> {
  const text = Buffer.from(content)
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  return { type, text, zipped: await promisify(gzip)(text), brotli, hash }
}

/** @param caching the `Cache-Control` of the answer */
export function sendAsset(ctx: Context, asset: Asset, caching: string) {
  const bodies = { br: asset.brotli, gzip: asset.zipped, identity: asset.text }
  const encoding = encodingOf(ctx, bodies)
  ctx.status = 200
  ctx.set('Cache-Control', caching)
  ctx.vary('Accept-Encoding')
  ctx.etag = encoding === 'identity' ? asset.hash : `${asset.hash}-${encoding}`
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding)
  ctx.set('Content-Type', asset.type)
  ctx.body = bodies[encoding]
}

function encodingOf<Encoding extends string>(ctx: Context, bodies: Record<Encoding | 'identity', Buffer | undefined>): Encoding | 'identity' {
  if (ctx.get('accept-encoding').length > maxAcceptLength) return 'identity'
  const offered = Object.keys(bodies).filter((name) => bodies[name as Encoding])
  return (ctx.acceptsEncodings(...offered) || 'identity') as Encoding | 'identity'
}

/** Routes of paths that are no operations: paths are compared as they are, in their case and with a final slash. */
export const pageRouter = () => new Router({ sensitive: true, strict: true })
