import { matchesText } from './match.ts'
import type { WaitInput } from './options.ts'
import type { AwaitedInbox, Wanted } from './wait.ts'

/** @returns undefined for a wait for the mail alone */
export function wantedPart({ text, url }: WaitInput, { part }: Partial<AwaitedInbox> = {}): Wanted | undefined {
  if (part === 'Code') return { name: 'a code', missing: 'a code', find: ({ codes }) => codes?.[0] }
  return part && {
    name: 'a link',
    missing: text === undefined && url === undefined ? 'a link' : 'such a link',
    find: ({ links }) => links?.find((link) => matchesText(link.text, text) && matchesText(link.url, url))?.url,
  }
}
