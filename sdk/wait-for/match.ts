import type { EmailSummary } from '../generated/types.gen.ts'

export interface MailFilter {
  from?: string | RegExp
  subject?: string | RegExp
}

export function matches(email: Pick<EmailSummary, 'from' | 'fromName' | 'subject'>, { from, subject }: MailFilter): boolean {
  return (from === undefined || holds(email.from, from) || holds(email.fromName, from))
    && (subject === undefined || holds(email.subject, subject))
}

/** Whether a list may have cut the subject or the name: then only the whole email tells whether it matches. */
export const isCut = ({ subject, fromName }: Pick<EmailSummary, 'fromName' | 'subject'>): boolean =>
  `${subject}`.endsWith('…') || `${fromName}`.endsWith('…')

function holds(text: string, wanted: string | RegExp) {
  // search() starts anew each time, whatever the flags
  return wanted instanceof RegExp ? `${text}`.search(wanted) >= 0 : `${text}`.toLowerCase().includes(wanted.toLowerCase())
}

/**
 * The sentences of a wait's time-out: what was waited for, and what came instead.
 * @param arrived undefined when the server never said
 */
export function describeTimeout(
  wanted: MailFilter & { addressId?: string }, ms: number, arrived: readonly EmailSummary[] | undefined, failure: Error | undefined,
): string {
  const members = (['from', 'subject', 'addressId'] as const).filter((name) => wanted[name] !== undefined)
  return `Waited ${ms / 1000} s for an email${members.map((name, i) => `${i ? ',' : ' with'} ${name} ${quote(wanted[name]!)}`).join('')}.`
    + (arrived ? ` ${describeArrived(arrived)}.` : '')
    + (failure ? ` The last request failed: ${failure.message}` : '')
}

function describeArrived(emails: readonly EmailSummary[]) {
  if (emails.length === 0) return 'No other mail arrived'
  const shown = emails.slice(0, 5).map(({ subject, from }) => `${quote(subject)} from ${from || 'an unknown sender'}`)
  if (emails.length > 5) shown.push(`and ${emails.length - 5} more`)
  return `Other mail arrived: ${shown.join(', ')}`
}

const quote = (value: string | RegExp) => value instanceof RegExp ? String(value) : JSON.stringify(value)
