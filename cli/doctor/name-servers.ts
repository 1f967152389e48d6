import { getServers } from 'node:dns'
import { isPublic, ok, problem } from './check.ts'
import type { Check } from './check.ts'

/** Codes of `resolve` for an unreachable name server. Other codes are answers, or concern the queried domain alone. */
const failures: Record<string, string> = {
  ETIMEOUT: 'did not answer in time',
  ECANCELLED: 'did not answer in time',
  ECONNREFUSED: 'cannot be reached',
  EREFUSED: 'refused the question',
}

/** All other DNS checks need this one. */
export const nameServers: Check = {
  name: 'dns',
  appliesTo: isPublic,
  async run({ config, resolver }) {
    const servers = (config.dnsServers.length > 0 ? config.dnsServers : getServers()).join(', ')
    const code = await resolver.lookup(config.defaultDomain, 'MX').then(() => '', (error: NodeJS.ErrnoException) => error.code ?? '')
    const failure = failures[code]
    return failure ? problem(`${servers} ${failure}`, 'Set MAYFLY_DNS_SERVERS to name servers that answer this host.') : ok(`${servers} answers`)
  },
}
