import { randomBytes } from 'node:crypto'
import { extname } from 'node:path'
import type { Context, Next } from 'koa'
import type { App } from '../../context.ts'
import { readProgramBytes, readProgramFile } from '../../program-file.ts'
import { basePathOf } from '../wire/session-cookie.ts'
import { sendAsset, toAsset } from './asset.ts'
import type { Asset } from './asset.ts'

/** The summary that build/dashboard.ts writes. */
interface BuiltDashboard {
  /** The page, with a placeholder for the nonce, and its files at `./assets`. */
  index: string
  /** Names of the files in `assets`, each with a hash of its content in it; `<name>.br` is the same, compressed. */
  assets: string[]
}

const folder = new URL('../../../dashboard/dist/', import.meta.url)
const assetsPath = '/assets/'
const noncePlaceholder = /__CSP_NONCE__/g
const types: Record<string, string> = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' }

/**
 * The dashboard: its files below `/assets/`, which browsers keep for a year, and its page at every other path that no other page has,
 * since its router reads the path. Files are read at their first request. Without a built dashboard, nothing is served.
 * @param built resolves when the files are there
 */
export function serveDashboard(app: Pick<App, 'log' | 'baseUrl' | 'network'>, built: Promise<unknown> = Promise.resolve()) {
  let ready: Promise<BuiltDashboard | undefined> | undefined
  const files = new Map<string, Promise<Asset>>()
  /** The page for signing in has a button with this host. */
  const provider = app.network.openId ? `<meta name="sign-in-provider" content="${app.network.openId.host}">` : ''

  async function find(): Promise<BuiltDashboard | undefined> {
    try {
      await built
      return JSON.parse(readProgramFile(new URL('dashboard.json', folder))) as BuiltDashboard
    } catch {
      return undefined // the start has logged the reason
    }
  }

  function findAsset(name: string): Promise<Asset> {
    const found = files.get(name) ?? readAsset(name)
    files.set(name, found)
    return found
  }

  return async (ctx: Context, next: Next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    const isAsset = ctx.path.startsWith(assetsPath)
    if (!isAsset && !wantsPage(ctx)) return next()
    const dashboard = await (ready ??= find())
    if (!dashboard) return next()
    if (!isAsset) return showPage(ctx, dashboard.index.replaceAll('"./assets/', `"${basePathOf(app.baseUrl())}/assets/`).replace('</head>', `${provider}</head>`))
    const name = ctx.path.slice(assetsPath.length)
    if (!dashboard.assets.includes(name)) return next()
    sendAsset(ctx, await findAsset(name), 'public, max-age=31536000, immutable')
  }
}

/** Programs that ask for no type, such as health checks of load balancers, get the page at `/`, and a 404 at unknown paths. */
function wantsPage({ path, headers: { accept = '*/*' } }: Context) {
  return accept.includes('text/html') || path === '/' && accept.includes('*/*')
}

const readAsset = (name: string): Promise<Asset> => {
  const [text, brotli] = [name, `${name}.br`].map((file) => readProgramBytes(new URL(`assets/${file}`, folder)))
  return toAsset(types[extname(name)]!, text!, brotli)
}

/** Sends the page, which must not be kept: it has a new nonce each time, and names the files of this version. */
function showPage(ctx: Context, index: string) {
  const nonce = randomBytes(16).toString('base64')
  ctx.status = 200
  ctx.set({
    'Content-Security-Policy': policy(nonce),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  })
  ctx.body = index.replace(noncePlaceholder, nonce)
}

/**
 * Scripts come from this server alone, and style elements need the nonce. The frames of mails inherit this policy, and have a stricter one
 * of their own beside it: for their sake style attributes are allowed, and images of other hosts, which a frame's policy blocks until the
 * reader asks for them.
 */
const policy = (nonce: string) => [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'nonce-${nonce}'`,
  "style-src-attr 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data: blob: http: https:",
  'font-src data:',
  'frame-src blob:',
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
