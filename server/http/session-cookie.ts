import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { sessionLifetimeMs } from '../store/accounts/sessions.ts'
import { basePathOf } from './same-origin.ts'

const isHttps = (baseUrl: string) => baseUrl.startsWith('https:')

/**
 * Browsers accept a cookie with these prefixes from HTTPS only, and refuse it over HTTP; `__Host-` is for one host, without its subdomains,
 * and for all of its paths. Behind a proxy that gives the server a path, other programs of the host do not get the cookie.
 */
function nameOf(baseUrl: string): string {
  if (!isHttps(baseUrl)) return 'mayfly'
  return basePathOf(baseUrl) ? '__Secure-mayfly' : '__Host-mayfly'
}

/** The cookie of the session of a request; undefined without one. */
export function readSessionCookie({ headers: { cookie } }: IncomingMessage, baseUrl: string): string | undefined {
  if (cookie === undefined) return undefined
  const start = `${nameOf(baseUrl)}=`
  return cookie.split(';').map((pair) => pair.trim()).find((pair) => pair.startsWith(start))?.slice(start.length)
}

/**
 * Sets the cookie of a session in the browser, for its lifetime from now.
 * @param value null removes the cookie
 */
export function setSessionCookie({ res }: Context, baseUrl: string, value: string | null) {
  res.setHeader('Set-Cookie', sessionCookie(baseUrl, value))
}

/** The header `Set-Cookie`. */
export function sessionCookie(baseUrl: string, value: string | null): string {
  const maxAgeSeconds = value === null ? 0 : sessionLifetimeMs / 1000
  const attributes = [`Path=${basePathOf(baseUrl) || '/'}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', ...isHttps(baseUrl) ? ['Secure'] : [], 'SameSite=Lax']
  return [`${nameOf(baseUrl)}=${value ?? ''}`, ...attributes].join('; ')
}
