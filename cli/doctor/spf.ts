import { spf as verify } from 'mailauth/lib/spf/index.js'
import { isPublic, notAsked, ok, sendingProblem, txtRecord, warning } from './check.ts'
import type { Check, Finding, CheckContext } from './check.ts'

/** Receivers check whether the sending address may send for the domain (RFC 7208). */
export const spf: Check = {
  name: 'spf',
  appliesTo: isPublic,
  async run(context) {
    const { config: { defaultDomain, outbound }, resolver } = context
    const found = await resolver.txt(defaultDomain)
    if (found.kind === 'unknown') return notAsked(`The SPF record of ${defaultDomain}`, found)
    const records = found.kind === 'found' ? found.records.filter((text) => /^v=spf1( |$)/i.test(text)) : []
    const [record, second] = records
    if (!record) return sendingProblem(context)(`${defaultDomain} has no SPF record`, recordToSet(context))
    if (second) return sendingProblem(context)(`${defaultDomain} has ${records.length} SPF records, which count as none: ${records.join(', ')}`, 'Leave one of them.')
    if (outbound.kind === 'smarthost') return ok(`${record}; whether it names the smart host's addresses is not tested`)
    return compare(context, record)
  },
}

async function compare(context: CheckContext, record: string): Promise<Finding> {
  const { config: { defaultDomain, mxHost }, resolver } = context
  const found = await resolver.addresses(mxHost)
  if (found.kind === 'unknown') return notAsked(`The address of ${mxHost}, to compare with ${record},`, found)
  if (found.kind === 'none') return warning(`${record}: there is no address to compare, ${mxHost} has none`, `Set an A or AAAA record for ${mxHost}.`)
  const results = await Promise.all(found.records.map(async (ip) => {
    const { status } = await verify({ sender: `postmaster@${defaultDomain}`, ip, helo: mxHost, mta: mxHost, resolver: resolver.lookup as never })
    return { ip, result: status.result }
  }))
  if (results.some(({ result }) => result === 'temperror')) {
    return notAsked(`What ${record} names`, { reason: 'The DNS lookup of a name in it failed.' })
  }
  const refused = results.filter(({ result }) => result !== 'pass')
  if (refused.length === 0) return ok(`${record} lets ${found.records.join(', ')} send`)
  return sendingProblem(context)(
    `${record} does not let this server send: ${refused.map(({ ip, result }) => `${result} for ${ip}`).join(', ')}`, recordToSet(context),
  )
}

const recordToSet = ({ config: { defaultDomain, outbound } }: CheckContext) => outbound.kind === 'smarthost'
  ? `Set ${defaultDomain}. TXT "v=spf1 … -all" with what the operator of the smart host says`
  : txtRecord(defaultDomain, 'v=spf1 mx -all')
