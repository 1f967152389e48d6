import PQueue from 'p-queue'
import { notAsked, ok, sameName, warning } from './check.ts'
import type { Check, Finding, CheckContext } from './check.ts'

interface CustomDomain {
  domain: string
  token: string
}

const maxDomains = 200

/** Checks the records of verified custom domains. One finding for each domain with a problem. */
export const customDomains: Check = {
  name: 'custom-domains',
  appliesTo: ({ isPublic, database }) => isPublic && 'domains' in database && database.domains.length > 0,
  async run(context) {
    const domains = 'domains' in context.database ? context.database.domains : []
    const asked = domains.slice(0, maxDomains)
    const findings = await new PQueue({ concurrency: 10 }).addAll(asked.map((domain) => () => checkDomain(context, domain)))
    const wrong = findings.flat()
    const right = ok(`${asked.length} of ${domains.length} verified domains were asked about, ${wrong.length === 0 ? 'their records are right' : 'the others are right'}`)
    return [...wrong, right]
  },
}

/** A problem with the records of a domain. It is a warning, since the domain's owner sets the records, not the operator. */
async function checkDomain({ config: { mxHost }, resolver }: CheckContext, { domain, token }: CustomDomain): Promise<Finding[]> {
  const [mx, txt] = await Promise.all([resolver.mx(domain), resolver.txt(domain)])
  const proof = `mayfly-verify=${token}`
  const findings: Finding[] = []
  if (mx.kind === 'unknown') findings.push(notAsked(`The MX of ${domain}`, mx))
  else if (mx.kind === 'none' || !mx.records.some(({ exchange }) => sameName(exchange, mxHost))) {
    findings.push(warning(`the MX of ${domain} does not name ${mxHost}, so its mail does not come here`, `Have its owner set ${domain}. MX 10 ${mxHost}.`))
  }
  if (txt.kind === 'unknown') findings.push(notAsked(`The TXT records of ${domain}`, txt))
  else if (txt.kind === 'none' || !txt.records.includes(proof)) {
    findings.push(warning(`${domain} has lost the TXT record that proves whose it is`, `Have its owner set ${domain}. TXT "${proof}"`))
  }
  return findings
}
