import { MayflyError } from './errors.ts'
import { createClient } from './generated/client/index.ts'
import type { Client } from './generated/client/index.ts'

export interface MayflyOptions {
  /** An API key, `svc_live_…` or `svc_test_…`. */
  apiKey: string
  /** Where the server is, without `/api/v1`. Default `http://localhost:3000`. */
  baseUrl?: string
  /** Used in place of the global `fetch`. Called with one `Request`. */
  fetch?: (request: Request) => Promise<Response>
  /** How long a request may take, its body included, in milliseconds. Default 30,000. */
  timeoutMs?: number
}

/** What every operation needs. The API key stays in closures, so that nothing can print it. */
export interface Connection {
  client: Client
  baseUrl: string
  timeoutMs: number
  fetch: (request: Request) => Promise<Response>
  /** The text without the API key, should a server repeat it. */
  redact: (text: string) => string
}

/** @throws MayflyError when an option cannot be used */
export function connect(options: MayflyOptions): Connection {
  const apiKey = readApiKey(options?.apiKey)
  const baseUrl = readBaseUrl(options.baseUrl ?? 'http://localhost:3000')
  // looked up at each call: test tools replace the global one
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  return {
    // frameworks that cache GET requests would hide new mail
    client: createClient({ baseUrl, auth: () => apiKey, throwOnError: true, parseAs: 'json', cache: 'no-store' }),
    baseUrl,
    timeoutMs: checkTimeout(options.timeoutMs ?? 30_000, 'timeoutMs'),
    fetch: (request) => fetch(request),
    redact: (text) => text.replaceAll(apiKey, '[API key]'),
  }
}

function readApiKey(value: unknown) {
  const apiKey = typeof value === 'string' ? value.trim() : ''
  if (!apiKey) throw new MayflyError('new Mayfly() needs an apiKey, such as svc_live_…')
  // a header refuses the rest, with a message that would show the key
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new MayflyError('The apiKey holds characters that no API key has. Check how it was copied.')
  }
  return apiKey
}

function readBaseUrl(value: string) {
  const example = 'such as https://mail.example.com'
  let url: URL
  try {
    url = new URL(value)
  } catch {
    throw new MayflyError(`baseUrl is not a URL ${example}`)
  }
  if (!/^https?:$/.test(url.protocol)) throw new MayflyError(`baseUrl is not an http or https URL ${example}`)
  if (url.username || url.password) throw new MayflyError('baseUrl holds a user name or password; give an apiKey only')
  return url.origin + url.pathname.replace(/\/+$/, '')
}

/** @throws MayflyError unless it is a number of milliseconds above 0; `Infinity` is one */
export function checkTimeout(value: number, name: string): number {
  if (typeof value !== 'number' || !(value > 0)) throw new MayflyError(`${name} must be more than 0 milliseconds`)
  return value
}
