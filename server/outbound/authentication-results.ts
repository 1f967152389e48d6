import type { AuthenticateResult } from 'mailauth'
import type { Authentication } from '../contract/types.gen.ts'

/** The results for a mail that could not be checked. */
export const unchecked: Authentication = {
  spf: { result: 'temperror', domain: null },
  dkim: [],
  dmarc: { result: 'temperror', domain: null, policy: null },
}

/** The results as the API shows them. */
export function toResults({ spf, dkim, dmarc, dmarcSkipReason }: AuthenticateResult): Authentication {
  const signatures = dkim.results.filter(({ signingDomain }) => signingDomain !== undefined)
  return {
    spf: { result: known(spfResults, spf ? spf.status.result : 'none', 'temperror'), domain: domain(spf && spf.domain) },
    dkim: signatures.map(({ status, signingDomain, selector }) => ({
      result: toDkimResult(status), domain: clean(signingDomain), selector: clean(selector),
    })),
    dmarc: dmarc
      ? { result: known(dmarcResults, dmarc.status.result, 'none'), domain: clean(dmarc.status.header?.['from']), policy: clean(dmarc.policy) }
      // a mail with authors of several domains has no DMARC result
      : { result: !dmarcSkipReason || dmarcSkipReason === 'no-author-domain' ? 'none' : 'permerror', domain: null, policy: null },
  }
}

/** For a mail whose signatures were not checked, because its header exceeds a limit. */
export const withoutSignatures = (results: Authentication): Authentication =>
  ({ ...results, dkim: [{ result: 'permerror', domain: null, selector: null }] })

type Spf = Authentication['spf']['result']
type Dkim = Authentication['dkim'][number]['result']
type Dmarc = Authentication['dmarc']['result']

const spfResults = new Set<string>(['none', 'neutral', 'pass', 'fail', 'softfail', 'temperror', 'permerror'] satisfies Spf[])
const dkimResults = new Set<string>(['none', 'neutral', 'pass', 'fail', 'policy', 'temperror', 'permerror'] satisfies Dkim[])
const dmarcResults = new Set<string>(['none', 'pass', 'fail', 'temperror', 'permerror'] satisfies Dmarc[])

/** Results that mailauth reports as neutral, by its comment, but RFC 6376, section 6.1, defines otherwise. */
const failures: Record<string, Dkim> = {
  'body hash did not verify': 'fail',
  'no key': 'permerror',
  'unknown key version': 'permerror',
  'unknown key type': 'permerror',
  'invalid public key': 'permerror',
  'inappropriate hash algorithm': 'permerror',
  'key not for email': 'permerror',
}

const toDkimResult = ({ result, comment }: { result: string, comment?: string }): Dkim =>
  (result === 'neutral' ? failures[comment ?? ''] : undefined) ?? known(dkimResults, result, 'neutral')

const known = <T extends string>(results: Set<string>, result: string, otherwise: T) => results.has(result) ? result as T : otherwise

/** RFC 5321, section 4.5.3.1.2, allows 255 characters. */
const maxNameChars = 255

/** Cleans text that a sender or a name server has chosen: one line of limited length. */
function clean(text: unknown): string | null {
  if (typeof text !== 'string') return null
  return text.toWellFormed().replace(/[\p{C}\s]/gu, '').slice(0, maxNameChars).toWellFormed() || null
}

function domain(text: unknown): string | null {
  const name = clean(text)
  return name && /^[^.[\]@]+(\.[^.[\]@]+)+$/.test(name) ? name : null
}
