import { discover } from '../../server/outbound/open-id.ts'
import { ok, problem } from './check.ts'
import type { Check } from './check.ts'

/** Whether the provider of OpenID Connect answers; its client is not tried, since only a person can sign in. */
export const signInProvider: Check = {
  name: 'sign-in-provider',
  appliesTo: ({ config }) => config.signInProvider !== null,
  async run({ config }) {
    const provider = config.signInProvider!
    try {
      await discover(provider)
      return ok(`${provider.issuer} answers. Its client ${provider.clientId} needs the redirect URI ${config.baseUrl ?? 'MAYFLY_BASE_URL'}/sign-in/callback`)
    } catch (error) {
      return problem(`${provider.issuer} cannot be used: ${reasonOf(error)}`, 'Check MAYFLY_OIDC_ISSUER, and whether this machine reaches it: its URL and /.well-known/openid-configuration has to answer.')
    }
  },
}

/** `fetch failed` has its reason in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message ? `${message}, ${cause.message}` : message
}
