import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Context } from 'koa'
import type { App } from '../../context.ts'
import { classicDocument, document } from '../../contract/document.ts'
import type { DialectName } from '../../dialects/dialects.ts'
import { readProgramFile } from '../../program-file.ts'
import { pageRouter, sendAsset, toAsset } from './asset.ts'
import type { Asset } from './asset.ts'
import { referencePage } from './reference/page.ts'

const path = '/docs'

interface Docs {
  pages: Record<DialectName, Asset>
  /** By path, with the hash of the file in it, so that it changes with the file. */
  files: Map<string, Asset>
}

/**
 * `/docs`: the reference, a page of its own without requests to other hosts. It calls operations with the session of the dashboard, or with
 * a key that the reader types. Page and files are prepared at the first request.
 * @param hasSession whether a request has the cookie of a session, which the script of the page cannot read
 */
export function serveDocs(app: Pick<App, 'log'>, hasSession: (ctx: Context) => boolean = () => false) {
  let ready: Promise<Docs | undefined> | undefined
  const docs = () => ready ??= makeDocs().catch((error: unknown) => {
    app.log.error(error, 'the reference at /docs cannot be shown')
    return undefined
  })

  return pageRouter()
    .get(path, async (ctx, next) => {
      const found = await docs()
      if (!found) return next()
      ctx.set('Content-Security-Policy', policy)
      return sendAsset(ctx, found.pages[ctx.query['dialect'] === 'classic' ? 'classic' : 'primary'], 'no-cache')
    })
    .get(`${path}/session`, (ctx) => {
      ctx.set('Cache-Control', 'no-store')
      ctx.body = { hasSession: hasSession(ctx) }
    })
    .get(`${path}/:file`, async (ctx, next) => {
      const file = (await docs())?.files.get(ctx.path)
      return file ? sendAsset(ctx, file, 'public, max-age=31536000, immutable') : next()
    })
    .routes()
}

async function makeDocs(): Promise<Docs> {
  const files = new Map<string, Asset>()
  /** @returns the address of a file, relative to the page, for a server behind a proxy that gives it a path */
  async function add(extension: string, type: string): Promise<string> {
    const asset = await compress(type, readProgramFile(new URL(`./reference.${extension}`, import.meta.url)))
    const address = `${path}/reference-${asset.hash}.${extension}`
    files.set(address, asset)
    return address.slice(1)
  }
  const shared = { script: await add('js', 'text/javascript'), style: await add('css', 'text/css') }
  const toPage = (dialect: DialectName) => compress('text/html', referencePage(dialect, shared))
  return { pages: { primary: await toPage('primary'), classic: await toPage('classic') }, files }
}

/** Brotli finds what operations have in common far away, gzip only within 32 KiB. */
async function compress(type: string, text: string): Promise<Asset> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 22 }
  return toAsset(`${type}; charset=utf-8`, text, await promisify(brotliCompress)(text, { params }))
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Serves the OpenAPI documents of both dialects, with the URL of this server. Each is generated at its first request. As YAML it is JSON in
 * lines, which is YAML too (YAML 1.2, section 1.2), and whose strings no parser of YAML 1.1 takes for times or booleans.
 */
export function serveDocuments(url: () => string) {
  const formats: Record<string, () => Promise<Asset>> = {}
  for (const [name, read] of [['openapi', () => document], ['openapi.classic', classicDocument]] as const) {
    const shown = () => ({ ...read(), servers: [{ url: url() }] })
    formats[`/${name}.json`] = once(async () => toAsset('application/json; charset=utf-8', JSON.stringify(shown())))
    formats[`/${name}.yaml`] = once(async () => toAsset('application/yaml', JSON.stringify(shown(), null, 2)))
  }
  return pageRouter().get(Object.keys(formats), async (ctx) => sendAsset(ctx, await formats[ctx.path]!(), 'no-cache')).routes()
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => made ??= make()
}
