import { isPublic, notAsked, ok, problem, sameName, warning } from './check.ts'
import type { Check } from './check.ts'

/** Other servers deliver mail for the default domain to its MX. */
export const mx: Check = {
  name: 'mx',
  appliesTo: isPublic,
  async run({ config: { defaultDomain, mxHost }, resolver }) {
    const set = `Set ${defaultDomain}. MX 10 ${mxHost}.`
    const found = await resolver.mx(defaultDomain)
    if (found.kind === 'unknown') return notAsked(`The MX of ${defaultDomain}`, found)
    if (found.kind === 'none') return problem(`${defaultDomain} has no MX record, so mail does not come here`, set)
    const names = found.records.map(({ exchange, priority }) => `${priority} ${exchange || '.'}`).join(', ')
    const ours = found.records.find(({ exchange }) => sameName(exchange, mxHost))
    if (!ours) return problem(`the MX of ${defaultDomain} does not name ${mxHost}: ${names}`, `${set}, or let MAYFLY_MX_HOST be the name of this host.`)
    if (found.records.some(({ exchange, priority }) => priority <= ours.priority && !sameName(exchange, mxHost))) {
      return warning(`mail for ${defaultDomain} also goes to others first: ${names}`, `Give the MX of ${mxHost} the lowest number.`)
    }
    return ok(`${defaultDomain} MX ${names}`)
  },
}

export const mxHost: Check = {
  name: 'mx-host',
  appliesTo: isPublic,
  async run({ config: { mxHost }, resolver }) {
    const found = await resolver.addresses(mxHost)
    if (found.kind === 'unknown') return notAsked(`The address of ${mxHost}`, found)
    if (found.kind === 'none') return problem(`${mxHost} has no address`, `Set an A or AAAA record for ${mxHost} with the public address of this host.`)
    return ok(`${mxHost} is ${found.records.join(', ')}`)
  },
}
