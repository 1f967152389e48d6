import { isIP } from 'node:net'
import type { Config } from '../../server/config/config.ts'
import { isLocalName, isLoopback, notAsked, ok, warning } from './check.ts'
import type { Check, Finding } from './check.ts'

const advice = 'Set MAYFLY_BASE_URL to the https URL by which others reach the API: links in mails begin with it.'

/**
 * Finds a base URL that is probably not that of this server.
 * @param port at which the server listens; 0 when it is not known
 */
export function doubtfulBaseUrl(
  { baseUrl, http: { trustedProxies } }: Config, port: number,
): Pick<Finding, 'found' | 'advice'> | undefined {
  if (baseUrl === null) return undefined
  const url = new URL(baseUrl)
  if (!isLoopback(url.hostname)) return undefined
  if (trustedProxies.length > 0) {
    if (url.protocol === 'https:') return undefined
    const found = `MAYFLY_TRUSTED_PROXIES names a proxy, and MAYFLY_BASE_URL is ${baseUrl}: links lead to this machine, and behind TLS the `
      + 'cookies of sessions lack Secure'
    return { found, advice }
  }
  if (url.protocol === 'https:' || port === 0 || Number(url.port || 80) === port) return undefined
  return {
    found: `MAYFLY_BASE_URL is ${baseUrl}, but this server listens at port ${port}: its links lead elsewhere, unless that port is passed on to it`,
    advice: `Unset it, which is also the server of clients in this shell, or set MAYFLY_HTTP_PORT=${url.port || 80}.`,
  }
}

export const baseUrl: Check = {
  name: 'base-url',
  async run({ config, isPublic, resolver }) {
    const { baseUrl } = config
    const doubt = doubtfulBaseUrl(config, config.http.port)
    if (doubt) return { status: 'warning', ...doubt }
    if (baseUrl === null) {
      const found = 'follows the HTTP port, which is another one at each start'
      return isPublic ? warning(found, advice) : ok(found)
    }
    const { protocol, hostname } = new URL(baseUrl)
    if (isLoopback(hostname)) {
      return isPublic ? warning(`${baseUrl} can be reached from this machine alone`, advice) : ok(baseUrl)
    }
    if (protocol !== 'https:') return warning(`${baseUrl} is not encrypted, so keys can be read on the way`, 'Put a reverse proxy with TLS before the API, and set MAYFLY_BASE_URL to its https URL.')
    if (!isPublic || isLocalName(hostname) || isIP(hostname.replace(/^\[|\]$/g, ''))) return ok(baseUrl)
    const found = await resolver.addresses(hostname)
    if (found.kind === 'unknown') return notAsked(`The address of ${hostname}`, found)
    if (found.kind === 'none') return warning(`${baseUrl}: the DNS has no address for ${hostname}`, `Set an A or AAAA record for ${hostname}, or mend MAYFLY_BASE_URL.`)
    return ok(baseUrl)
  },
}
