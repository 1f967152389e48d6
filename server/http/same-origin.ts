import type { IncomingMessage } from 'node:http'

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

/** The path that a proxy gives the server, without a slash at the end; '' without one. */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '')
