import type { Email } from '../generated/types.gen.ts'
import { matchesText } from './match.ts'
import type { WaitInput } from './options.ts'

/** The part of a mail that a wait returns, such as its first code. */
export interface Wanted {
  /** For the TimeoutError: `a code`. */
  name: string
  /** For the mails without it: `a code`, or `such a link`. */
  missing: string
  /** @returns undefined for a mail without it */
  find: (email: Email) => string | undefined
}

/** @returns undefined for a wait for the mail alone */
export function wantedPart({ part, text, url }: WaitInput): Wanted | undefined {
  if (part === 'code') return { name: 'a code', missing: 'a code', find: ({ codes }) => codes?.[0] }
  return part && {
    name: 'a link',
    missing: text === undefined && url === undefined ? 'a link' : 'such a link',
    find: ({ links }) => links?.find((link) => matchesText(link.text, text) && matchesText(link.url, url))?.url,
  }
}
