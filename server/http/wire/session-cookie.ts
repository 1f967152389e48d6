import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Context } from 'koa'
import { sessionLifetimeMs } from '../../store/accounts/sessions.ts'

const isHttps = (baseUrl: string) => baseUrl.startsWith('https:')

/**
 * Browsers accept a cookie with these prefixes from HTTPS only, and refuse it over HTTP; `__Host-` is for one host, without its subdomains,
 * and for all of its paths. Behind a proxy that gives the server a path, other programs of the host do not get the cookie.
 */
function nameOf(baseUrl: string, kind: CookieKind): string {
  if (!isHttps(baseUrl)) return kind
  return `${basePathOf(baseUrl) ? '__Secure-' : '__Host-'}${kind}`
}

/** The cookie of a session, and that of a sign-in at a provider while it is under way. */
type CookieKind = 'mayfly' | 'mayfly-sign-in'

/** The cookie of the session of a request; undefined without one. */
export const readSessionCookie = (req: IncomingMessage, baseUrl: string): string | undefined => readCookie(req, baseUrl, 'mayfly')

/** The value of a cookie of this server; undefined without one. */
export function readCookie({ headers: { cookie } }: IncomingMessage, baseUrl: string, kind: CookieKind): string | undefined {
  if (cookie === undefined) return undefined
  const start = `${nameOf(baseUrl, kind)}=`
  return cookie.split(';').map((pair) => pair.trim()).find((pair) => pair.startsWith(start))?.slice(start.length)
}

/**
 * Sets the cookie of a session in the browser, for its lifetime from now.
 * @param value null removes the cookie
 */
export function setSessionCookie({ res }: Context, baseUrl: string, value: string | null) {
  res.setHeader('Set-Cookie', sessionCookie(baseUrl, value))
}

/** The header `Set-Cookie` of a session. */
export const sessionCookie = (baseUrl: string, value: string | null): string =>
  cookieOf(baseUrl, 'mayfly', { value, maxAgeSeconds: sessionLifetimeMs / 1000 })

/** The header `Set-Cookie`, which scripts cannot read, and pages of other sites do not send with their requests. */
export function cookieOf(
  baseUrl: string, kind: CookieKind, { value, maxAgeSeconds }: { value: string | null, maxAgeSeconds: number },
): string {
  const attributes = [`Path=${basePathOf(baseUrl) || '/'}`, `Max-Age=${value === null ? 0 : maxAgeSeconds}`, 'HttpOnly', ...isHttps(baseUrl) ? ['Secure'] : [], 'SameSite=Lax']
  return [`${nameOf(baseUrl, kind)}=${value ?? ''}`, ...attributes].join('; ')
}

/** Methods that change nothing: answers to them cannot be read by pages of other origins, as no answer allows credentials (CORS). */
const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

/**
 * Whether a request with a session may have been caused by a page of another origin (CSRF; docs/decisions/0004). Browsers tell the origin
 * of a write; a write without such a header is refused.
 */
export const isForged = (req: IncomingMessage, baseUrl: string): boolean => !isRead(req) && originOf(req, baseUrl) !== 'same'

/** As `isForged`, for a request that has no session yet: a program without these headers may make it. */
export const isOfOtherOrigin = (req: IncomingMessage, baseUrl: string): boolean => originOf(req, baseUrl) === 'other'

/**
 * By Fetch Metadata, else by `Origin`, which browsers send with writes over HTTP too. The base URL is the origin behind a proxy. Over HTTP,
 * the host of the request is that of pages at another name of this machine, such as 127.0.0.1 in place of localhost.
 */
function originOf({ headers }: IncomingMessage, baseUrl: string): 'same' | 'other' | 'unknown' {
  const { 'sec-fetch-site': site, origin, host } = headers
  if (site !== undefined) return site === 'same-origin' ? 'same' : 'other'
  if (origin === undefined) return 'unknown'
  const base = new URL(baseUrl)
  return origin === base.origin || base.protocol === 'http:' && origin === `http://${host}` ? 'same' : 'other'
}

/** A page in a browser on this machine can reach the server by a name of the page's owner (DNS rebinding), but not by these hosts. */
export function isOwnHost({ hostname }: Context, baseUrl: string): boolean {
  const name = hostname.toLowerCase()
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || /^(.+\.)?localhost$/.test(name) || name === new URL(baseUrl).hostname
}

/** The path that a proxy gives the server, without a slash at the end; '' without one. */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '')
