import { isIP } from 'node:net'
import { isLocalName, isLoopback, notAsked, ok, warning } from './check.ts'
import type { Check } from './check.ts'

const advice = 'Set MAYFLY_BASE_URL to the https URL by which others reach the API: links in mails begin with it.'

export const baseUrl: Check = {
  name: 'base-url',
  async run({ config: { baseUrl }, isPublic, resolver }) {
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
