import { randomBytes } from 'node:crypto'
import { extname } from 'node:path'
import type { Context, Next } from 'koa'
import type { App } from '../../context.ts'
import { currentEventId } from '../../domain/event-stream.ts'
import { readOwnAccount } from '../../domain/own-account.ts'
import { AppError } from '../../errors.ts'
import { readProgramBytes, readProgramFile } from '../../program-file.ts'
import { openAuthenticate } from '../operations/authenticate.ts'
import { rateLimit } from '../operations/rate-limit.ts'
import { basePathOf, readSessionCookie } from '../wire/session-cookie.ts'
import { sendAsset, toAsset } from './asset.ts'
import type { Asset } from './asset.ts'

/** The summary that build/dashboard.ts writes. */
interface BuiltDashboard {
  /** The page, with placeholders for the nonce and the data of the session, and its files at `./assets`. */
  index: string
  /** Names of the files in `assets`, each with a hash of its content in it; `<name>.br` is the same, compressed. */
  assets: string[]
}

const folder = new URL('../../../dashboard/dist/', import.meta.url)
const assetsPath = '/assets/'
const signInPath = '/sign-in'
const noncePlaceholder = /__CSP_NONCE__/g
const dataPlaceholder = '<!--session-->'
const types: Record<string, string> = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' }

/**
 * The dashboard: its files below `/assets/`, which browsers keep for a year, and its page at every other path that no other page has,
 * since its router reads the path. Files are read at their first request. Without a built dashboard, nothing is served.
 * @param built resolves when the files are there
 */
export function serveDashboard(app: App, built: Promise<unknown> = Promise.resolve()) {
  const authenticate = openAuthenticate(app)
  const limit = rateLimit(app, 'pages')
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

  /**
   * The first data of the page: the account, and the event after which it follows changes. Without them, as when the session has ended or
   * a network opens too many pages, the page asks for the account and shows the error.
   */
  async function readSession(ctx: Context): Promise<object | undefined> {
    if (ctx.path === signInPath || readSessionCookie(ctx.req, app.baseUrl()) === undefined) return undefined
    try {
      await limit.count(ctx, undefined)
      const caller = await authenticate(ctx, 'session')
      if (!caller) return undefined
      const lastEventId = await currentEventId(app, caller)
      return { account: await app.db.engine.runForAccount(caller.accountId, readOwnAccount, app, caller), lastEventId }
    } catch (error) {
      if (!(error instanceof AppError)) app.log.error({ err: error, requestId: ctx.state.requestId }, 'request failed')
      return undefined
    }
  }

  return async (ctx: Context, next: Next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    const isAsset = ctx.path.startsWith(assetsPath)
    if (!isAsset && !wantsPage(ctx)) return next()
    const dashboard = await (ready ??= find())
    if (!dashboard) return next()
    if (!isAsset) {
      const index = dashboard.index.replaceAll('"./assets/', `"${basePathOf(app.baseUrl())}/assets/`)
        .replace('</head>', `${provider}</head>`)
      const data = await readSession(ctx)
      return showPage(ctx, index.replace(dataPlaceholder, () => data ? dataElement(data) : ''))
    }
    const name = ctx.path.slice(assetsPath.length)
    if (!dashboard.assets.includes(name)) return next()
    sendAsset(ctx, await findAsset(name), 'public, max-age=31536000, immutable')
  }
}

/** Programs that ask for no type, such as health checks of load balancers, get the page at `/`, and a 404 at unknown paths. */
function wantsPage({ path, headers: { accept = '' } }: Context) {
  return accept.includes('text/html') || path === '/' && (accept === '' || /\*\/\*|text\/\*/.test(accept))
}

const readAsset = (name: string): Promise<Asset> => {
  const [text, brotli] = [name, `${name}.br`].map((file) => readProgramBytes(new URL(`assets/${file}`, folder)))
  return toAsset(types[extname(name)]!, text!, brotli)
}

/**
 * An element with data, which is no script for the Content Security Policy. Texts of users are in it: `<` could end the element, and older
 * programs read the other two as ends of a line.
 */
export const dataElement = (data: object): string =>
  `<script type="application/json" id="session">${JSON.stringify(data).replaceAll(/[<\u2028\u2029]/g, escapeUnit)}</script>`

const escapeUnit = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Sends the page, which must not be kept: it has a new nonce each time, the data of a session, and names the files of this version. */
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
