import type { Email, Link } from '../contract/types.gen.ts'
import { warningsOf } from './checks/warnings.ts'

type Stored = Pick<Email, 'fromName' | 'subject' | 'bodyText' | 'bodyHtml' | 'hiddenText'> & { links: Omit<Link, 'host'>[], hasOtherCode: boolean }

/**
 * Adds the members that are computed from the content of an email: hosts of links, and warnings.
 * @param stored the stored members; `hiddenText` stands for styles and attributes alone
 */
export function withDetails<Members extends Stored>(
  { hasOtherCode, ...stored }: Members,
): Omit<Members, 'hasOtherCode'> & Pick<Email, 'links' | 'warnings'> {
  const links = stored.links.map(({ url, text }) => ({ url, host: URL.parse(url)?.host ?? '', text }))
  const warnings = warningsOf({ ...stored, links, hasOtherCode })
  const hiddenText = warnings.some(({ type }) => type === 'hiddenText' || type === 'invisibleCharacters')
  return { ...stored, links, hiddenText, warnings }
}
