import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { sessionLifetimeMs } from '../store/accounts/sessions.ts'

/** Browsers accept a cookie of this prefix from HTTPS only, for one host, and not from its subdomains. They refuse it over HTTP. */
const names = { https: '__Host-mayfly', http: 'mayfly' }

const isHttps = (baseUrl: string) => baseUrl.startsWith('https:')

const nameOf = (baseUrl: string) => isHttps(baseUrl) ? names.https : names.http

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
  const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', ...isHttps(baseUrl) ? ['Secure'] : [], 'SameSite=Lax']
  return [`${nameOf(baseUrl)}=${value ?? ''}`, ...attributes].join('; ')
}
