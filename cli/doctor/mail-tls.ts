import { ownPolicy } from '../../server/config/mta-sts-policy.ts'
import { offersStartTls } from '../../server/config/smtp-ports.ts'
import { fetchPolicy, findPolicyId, namesHost, policyHost, policyRecordName, policyUrl } from '../../server/outbound/mta-sts.ts'
import type { MtaStsPolicy } from '../../server/outbound/mta-sts.ts'
import { isPublic, notAsked, ok, problem, txtRecord, warning } from './check.ts'
import type { Check, CheckContext, Finding } from './check.ts'

/** Without it the server works, too. */
const optional = (found: string, advice: string): Finding => ({ status: 'ok', found, advice })

/** The policy by which senders insist on TLS. @param port of its host, in tests */
export const mtaStsAt = (port: number): Check => ({
  name: 'mta-sts',
  appliesTo: isPublic,
  async run(context) {
    const { config, resolver } = context
    const { defaultDomain: domain, mtaStsMode } = config
    const own = ownPolicy(config)
    const name = policyRecordName(domain)
    const record = await findPolicyId(resolver, domain)
    if (record.kind === 'unknown') return notAsked(`The MTA-STS record ${name}`, record)
    if (record.kind === 'none' && !own) return optional(`${domain} has no MTA-STS policy, so someone on its way can have mail sent without TLS`, 'Set MAYFLY_MTA_STS=testing, later enforce, and run this again.')
    const toSet = own ? txtRecord(name, `v=STSv1; id=${own.id}`) : `Leave one record at ${name}, with an id of letters and digits.`
    if (record.kind === 'none') return warning(`MAYFLY_MTA_STS is ${mtaStsMode}, but ${domain} has no MTA-STS record, so no sender reads the policy`, toSet)
    if (record.kind === 'invalid') return warning(`${name} is no MTA-STS record: ${record.records.join(', ')}`, toSet)
    const found = await fetchPolicy(domain, { resolver, allowPrivate: true, port, timeoutMs: 5_000 })
    if (!found.policy) {
      return warning(`${policyUrl(domain)} cannot be used, so there is no policy: ${found.reason}`,
        `Set an address for ${policyHost(domain)}, have the reverse proxy answer there with a certificate of its own, and set MAYFLY_MTA_STS.`)
    }
    const fault = await faultOf(context, found.policy)
    if (fault) return fault
    if (own && record.id !== own.id) return warning(`${name} has the id ${record.id}, which is not that of this policy: senders keep the one before`, toSet)
    return ok(`${policyUrl(domain)}: ${found.policy.mode}`)
  },
})

export const mtaSts = mtaStsAt(443)

/** Finds what keeps mail away, which with `testing` is only reported to the operator. */
async function faultOf({ config, resolver }: CheckContext, policy: MtaStsPolicy): Promise<Finding | undefined> {
  const { defaultDomain: domain, mxHost, smtp, mtaStsMode } = config
  const url = policyUrl(domain)
  if (mtaStsMode !== null && mtaStsMode !== policy.mode) return warning(`${url} has the mode ${policy.mode}, and MAYFLY_MTA_STS is ${mtaStsMode}`, 'Have the reverse proxy pass its requests to this server.')
  if (policy.mode === 'none') return undefined
  const worst = policy.mode === 'enforce' ? problem : warning
  if (!offersStartTls(smtp)) return worst(`${url} asks for TLS, which this server does not offer`, 'Set MAYFLY_ACME_EMAIL, or MAYFLY_TLS_CERT and MAYFLY_TLS_KEY.')
  const mx = await resolver.mx(domain)
  const hosts = mx.kind === 'found' ? mx.records.map(({ exchange }) => exchange) : [mxHost]
  const missing = hosts.filter((host) => !namesHost(policy, host))
  if (missing.length === 0) return undefined
  return worst(`${url} does not name ${missing.join(', ')}, an MX of ${domain}: senders bring it no mail`, `Let the policy, the MX of ${domain} and MAYFLY_MX_HOST have the same names.`)
}

/** Where senders report that TLS failed (RFC 8460). */
export const tlsRpt: Check = {
  name: 'tls-rpt',
  appliesTo: isPublic,
  async run({ config: { defaultDomain }, resolver }) {
    const name = `_smtp._tls.${defaultDomain}`
    const toSet = txtRecord(name, `v=TLSRPTv1; rua=mailto:postmaster@${defaultDomain}`)
    const found = await resolver.txt(name)
    if (found.kind === 'unknown') return notAsked(`The TLS-RPT record ${name}`, found)
    const records = found.kind === 'found' ? found.records.filter((text) => /^v=TLSRPTv1[ \t]*;/.test(text)) : []
    if (records.length === 0) return optional(`${defaultDomain} has no TLS-RPT record, so no sender reports that TLS failed`, toSet)
    if (records.length > 1) return warning(`${name} has ${records.length} TLS-RPT records, which count as none`, 'Leave one of them.')
    const hasTarget = /;[ \t]*rua=(?:mailto:[^@\s]+@|https:\/\/)/i.test(records[0]!)
    return hasTarget ? ok(`${name}: ${records[0]}`) : warning(`${name} names no address for reports: ${records[0]}`, toSet)
  },
}
