import type { EmailSummary } from '../generated/types.gen.ts'

export interface MailFilter {
  from?: string | RegExp
  subject?: string | RegExp
}

export function matches(email: Pick<EmailSummary, 'from' | 'fromName' | 'subject'>, { from, subject }: MailFilter): boolean {
  return (from === undefined || matchesText(email.from, from) || matchesText(email.fromName, from))
    && (subject === undefined || matchesText(email.subject, subject))
}

/** Whether a list may have truncated the subject or the name: then only the whole email can be matched. */
export const isTruncated = ({ subject, fromName }: Pick<EmailSummary, 'fromName' | 'subject'>): boolean =>
  `${subject}`.endsWith('…') || `${fromName}`.endsWith('…')

function matchesText(text: string, filter: string | RegExp) {
  // search() ignores lastIndex, which the flags g and y would keep between calls
  return filter instanceof RegExp ? `${text}`.search(filter) >= 0 : `${text}`.toLowerCase().includes(filter.toLowerCase())
}

/**
 * The message of a wait's TimeoutError: the filter, and the mail that arrived instead.
 * @param arrived undefined when no list succeeded
 */
export function describeTimeout(
  filter: MailFilter & { addressId?: string }, timeoutMs: number, arrived: readonly EmailSummary[] | undefined, failure: Error | undefined,
): string {
  const members = (['from', 'subject', 'addressId'] as const).filter((name) => filter[name] !== undefined)
  return `Waited ${timeoutMs / 1000} s for an email${members.map((name, i) => `${i ? ',' : ' with'} ${name} ${quote(filter[name]!)}`).join('')}.`
    + (arrived ? ` ${describeArrived(arrived)}.` : '')
    + (failure ? ` The last request failed: ${failure.message}` : '')
}

function describeArrived(emails: readonly EmailSummary[]) {
  if (emails.length === 0) return 'No other mail arrived'
  const listed = emails.slice(0, 5).map(({ subject, from }) => `${quote(subject)} from ${from || 'an unknown sender'}`)
  if (emails.length > 5) listed.push(`and ${emails.length - 5} more`)
  return `Other mail arrived: ${listed.join(', ')}`
}

const quote = (value: string | RegExp) => value instanceof RegExp ? String(value) : JSON.stringify(value)
