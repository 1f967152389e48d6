import { notAsked, ok, sameName, sendingProblem, warning } from './check.ts'
import type { Check, Finding, CheckContext } from './check.ts'

/** Many hosts refuse mail from an address whose PTR name does not resolve to it. */
export const ptr: Check = {
  name: 'ptr',
  appliesTo: ({ isPublic, config }) => isPublic && config.outbound.kind !== 'smarthost',
  async run(context) {
    const { config: { mxHost }, resolver } = context
    const found = await resolver.addresses(mxHost)
    if (found.kind === 'unknown') return notAsked(`The address of ${mxHost}`, found)
    if (found.kind === 'none') return warning(`${mxHost} has no address to ask for`, `Set an A or AAAA record for ${mxHost}.`)
    return Promise.all(found.records.map((ip) => checkAddress(context, ip)))
  },
}

async function checkAddress(context: CheckContext, ip: string): Promise<Finding> {
  const { config: { mxHost }, resolver } = context
  const set = `Have the owner of ${ip}, mostly the hoster, set its PTR record to ${mxHost}`
  const found = await resolver.ptr(ip)
  if (found.kind === 'unknown') return notAsked(`The PTR of ${ip}`, found)
  if (found.kind === 'none') return sendingProblem(context)(`${ip} has no PTR record`, set)
  const names = found.records.join(', ')
  if (found.records.some((name) => sameName(name, mxHost))) return ok(`${ip} PTR ${names}`)
  const back = await Promise.all(found.records.slice(0, 10).map((name) => resolver.addresses(name)))
  if (back.some((answer) => answer.kind === 'found' && answer.records.includes(ip))) {
    return warning(`the PTR of ${ip} does not name ${mxHost} but ${names}`, `${set}, or set MAYFLY_MX_HOST.`)
  }
  return sendingProblem(context)(`the PTR of ${ip} names ${names}, which does not lead back`, set)
}
