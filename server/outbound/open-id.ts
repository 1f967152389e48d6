import type { ClientAuth, Configuration } from 'openid-client'
import type { SignInProvider } from '../config/config.ts'

/** Secrets of a sign-in that is under way: the browser that begins it has to end it. */
export interface SignInSecrets {
  state: string
  nonce: string
  /** Of PKCE. */
  verifier: string
}

/** The person whom a provider has authenticated. */
export interface ProviderUser {
  email: string | undefined
  isVerified: boolean
}

/** A provider of OpenID Connect. */
export interface OpenId {
  /** The host of its issuer, which people know it by. */
  host: string
  /** @returns the page of the provider to which the browser goes. @throws Error when the provider does not answer */
  begin(redirectUri: string): Promise<{ url: string, secrets: SignInSecrets }>
  /**
   * Checks the answer of the provider, and asks it for the person.
   * @param url to which the provider has sent the browser
   * @throws DeclinedError, and another Error when the answer is not one to this sign-in, was used, or the provider does not confirm it
   */
  finish(url: URL, secrets: SignInSecrets): Promise<ProviderUser>
}

/** The provider has not signed the person in, such as after a press of Cancel. */
class DeclinedError extends Error {
  override name = 'DeclinedError'
}

/** Seconds in which a provider has to answer. */
const timeoutSeconds = 10

/** Connects to a provider. The library is loaded, and the provider asked for its settings, with the first sign-in. */
export function openOpenId(provider: SignInProvider): OpenId {
  let found: Promise<Connection> | undefined
  const connect = () => found ??= discover(provider).catch((error: unknown) => {
    found = undefined // asked again by the next sign-in
    throw error
  })
  return {
    host: new URL(provider.issuer).host,

    async begin(redirectUri) {
      const { library, configuration } = await connect()
      const secrets = { state: library.randomState(), nonce: library.randomNonce(), verifier: library.randomPKCECodeVerifier() }
      const url = library.buildAuthorizationUrl(configuration, {
        'redirect_uri': redirectUri,
        'scope': 'openid email',
        'state': secrets.state,
        'nonce': secrets.nonce,
        'code_challenge': await library.calculatePKCECodeChallenge(secrets.verifier),
        'code_challenge_method': 'S256',
      })
      return { url: url.href, secrets }
    },

    async finish(url, { state, nonce, verifier }) {
      const { library, configuration } = await connect()
      const tokens = await library.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true,
      }).catch((error: unknown) => {
        throw error instanceof library.AuthorizationResponseError ? new DeclinedError(error.error, { cause: error }) : error
      })
      const claims = tokens.claims()!
      const isComplete = claims['email'] !== undefined // many providers tell it on request alone
      const user = isComplete ? claims : await library.fetchUserInfo(configuration, tokens['access_token'], claims.sub)
      const { email } = user
      return { email: typeof email === 'string' ? email : undefined, isVerified: user['email_verified'] === true }
    },
  }
}

interface Connection {
  library: typeof import('openid-client')
  configuration: Configuration
}

/** @throws Error when the provider does not answer, or is no provider of OpenID Connect */
export async function discover({ issuer, clientId, clientSecret }: SignInProvider): Promise<Connection> {
  const library = await import('openid-client')
  const [basic, post] = [library.ClientSecretBasic(clientSecret), library.ClientSecretPost(clientSecret)]
  /** Basic is the default of the standard, and its server names others (OpenID Connect Discovery, section 3). */
  const authenticate: ClientAuth = (server, ...request) =>
    (server['token_endpoint_auth_methods_supported']?.includes('client_secret_basic') === false ? post : basic)(server, ...request)
  const url = new URL(issuer)
  const configuration = await library.discovery(url, clientId, { [library.clockTolerance]: 30 }, authenticate, {
    timeout: timeoutSeconds, ...url.protocol === 'http:' && { execute: [library.allowInsecureRequests] },
  })
  return { library, configuration }
}
