import { getDomain } from 'tldts'
import { isPublic, notAsked, ok, txtRecord, warning } from './check.ts'
import type { Check } from './check.ts'

/** The policy for mail that fails SPF and DKIM (RFC 7489); the record of the organizational domain applies to its subdomains. */
export const dmarc: Check = {
  name: 'dmarc',
  appliesTo: isPublic,
  async run({ config: { defaultDomain }, resolver }) {
    const names = [...new Set([defaultDomain, getDomain(defaultDomain) ?? defaultDomain])].map((domain) => `_dmarc.${domain}`)
    for (const name of names) {
      const found = await resolver.txt(name)
      if (found.kind === 'unknown') return notAsked(`The DMARC record ${name}`, found)
      const records = found.kind === 'found' ? found.records.filter((text) => /^v=DMARC1\s*(;|$)/.test(text)) : []
      if (records.length > 1) return warning(`${name} has ${records.length} DMARC records, which count as none`, 'Leave one of them.')
      if (records[0]) return ok(`${name}: ${records[0]}`)
    }
    return warning(`${defaultDomain} has no DMARC record, and some hosts want one`, txtRecord(names[0]!, 'v=DMARC1; p=none'))
  },
}
