import type { Email, Link } from '../contract/types.gen.ts'
import { warningsOf } from './checks/warnings.ts'
import { detailsOf } from './extract/code-details.ts'

type Stored = Pick<Email, 'fromName' | 'subject' | 'bodyText' | 'bodyHtml' | 'codes' | 'hiddenText'> & { links: Omit<Link, 'host'>[] }

/**
 * Adds the members that are computed from the content of an email: hosts of links, warnings, and the validity of codes.
 * @param stored the stored members; `hiddenText` stands for styles and attributes alone
 */
export function withDetails<Members extends Stored>(stored: Members): Members & Pick<Email, 'links' | 'warnings' | 'codeDetails'> {
  const links = stored.links.map(({ url, text }) => ({ url, host: URL.parse(url)?.host ?? '', text }))
  const warnings = warningsOf({ ...stored, links })
  const hiddenText = warnings.some(({ type }) => type === 'hiddenText' || type === 'invisibleCharacters')
  return { ...stored, links, hiddenText, warnings, codeDetails: detailsOf(stored.codes, stored) }
}
