import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPairSync } from 'node:crypto'
import Provider from 'oidc-provider'

export interface TestProvider extends AsyncDisposable {
  issuer: string
  /** The variables of a server that uses it. */
  env: Record<string, string>
  /** Begins to answer. @param redirectUri of the server */
  open(redirectUri: string): void
  /** Answers nothing any more. */
  stopAnswering(): Promise<void>
}

const clientId = 'mayfly'
const clientSecret = 'a secret of the client'

/** A real provider of OpenID Connect at a port of 127.0.0.1. Each name signs in; `unverified…` has no verified address. */
export async function startProvider(): Promise<TestProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () => new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
  return {
    issuer,
    env: { MAYFLY_OIDC_ISSUER: issuer, MAYFLY_OIDC_CLIENT_ID: clientId, MAYFLY_OIDC_CLIENT_SECRET: clientSecret },
    open(redirectUri) {
      const provider = new Provider(issuer, {
        clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
        claims: { openid: ['sub'], email: ['email', 'email_verified'] },
        scopes: ['openid', 'email'],
        findAccount: (_ctx, id) => ({
          accountId: id,
          claims: () => ({ sub: id, ...id.includes('@') && { email: id, email_verified: !id.startsWith('unverified') } }),
        }),
        pkce: { required: () => true },
        features: { devInteractions: { enabled: true } },
        cookies: { keys: ['a key of the test'] },
        jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
        ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      })
      server.on('request', (request, response) => void provider.callback()(request, response))
    },
    stopAnswering: stop,
    async [Symbol.asyncDispose]() { await stop() },
  }
}

/** A browser without scripts: it keeps cookies by host and port, and follows no redirect by itself. */
export class Cookies {
  readonly #byOrigin = new Map<string, Map<string, string>>()

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url)
    const jar = this.#byOrigin.get(origin) ?? new Map<string, string>()
    this.#byOrigin.set(origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, ...cookie && { cookie }, 'sec-fetch-site': 'same-origin' } })
    for (const header of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(header)!
      if (/max-age=0\b|expires=Thu, 01 Jan 1970/i.test(header)) jar.delete(name!)
      else jar.set(name!, value!)
    }
    return response
  }

  /** Follows redirects until a page, or until a redirect to a URL that begins with a text. @returns the URL or the page */
  async follow(url: string, until = '\0'): Promise<{ url: string, page?: string }> {
    for (let hops = 0; hops < 10; hops++) {
      if (url.startsWith(until)) return { url }
      const response = await this.fetch(url)
      const location = response.headers.get('location')
      if (location === null) return { url, page: await response.text() }
      url = new URL(location, url).href
    }
    throw new Error('too many redirects')
  }
}

/** Signs in at the provider, and consents. @returns the URL to which it then sends the browser */
export async function signInAtProvider(
  browser: Cookies, begin: string, { email, redirectUri }: { email: string, redirectUri: string },
): Promise<string> {
  let at = await browser.follow(begin, redirectUri)
  for (const form of [{ prompt: 'login', login: email, password: 'any' }, { prompt: 'consent' }]) {
    if (at.page === undefined) return at.url
    const action = /<form[^>]* action="([^"]+)"/.exec(at.page)![1]!
    const response = await browser.fetch(new URL(action, at.url).href, { method: 'POST', body: new URLSearchParams(form as Record<string, string>) })
    at = await browser.follow(new URL(response.headers.get('location')!, at.url).href, redirectUri)
  }
  if (at.page !== undefined) throw new Error(`the provider shows a page: ${at.page}`)
  return at.url
}
