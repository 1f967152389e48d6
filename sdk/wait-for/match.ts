import type { EmailSummary } from '../generated/types.gen.ts'

export interface MailFilter {
  from?: string | RegExp
  subject?: string | RegExp
}

export function matches(email: Pick<EmailSummary, 'from' | 'fromName' | 'subject'>, { from, subject }: MailFilter): boolean {
  return (from === undefined || holds(email.from, from) || holds(email.fromName, from))
    && (subject === undefined || holds(email.subject, subject))
}

function holds(text: string, wanted: string | RegExp) {
  // search() starts anew each time, whatever the flags
  if (wanted instanceof RegExp) return text.search(wanted) >= 0
  return text.toLowerCase().includes(wanted.toLowerCase())
}

/**
 * The sentences of a wait's time-out: what was waited for, and what came instead.
 * @param arrived undefined when the server never said
 */
export function describeTimeout(
  wait: MailFilter & { addressId?: string, timeoutMs: number }, arrived: readonly EmailSummary[] | undefined, failure: unknown,
): string {
  const wanted = [
    'an email',
    wait.from !== undefined && `from ${quote(wait.from)}`,
    wait.subject !== undefined && `with the subject ${quote(wait.subject)}`,
    wait.addressId !== undefined ? `to the address ${wait.addressId}` : 'to any address',
  ].filter(Boolean).join(' ')
  return [
    `Waited ${wait.timeoutMs / 1000} s for ${wanted}.`,
    arrived && describeArrived(arrived),
    failure instanceof Error && `The last request failed: ${failure.message}`,
  ].filter(Boolean).join(' ')
}

function describeArrived(emails: readonly EmailSummary[]) {
  if (emails.length === 0) return 'No other mail arrived.'
  const shown = emails.slice(0, 5).map(({ subject, from }) => `${quote(subject)} from ${from || 'nobody'}`).join(', ')
  const more = emails.length > 5 ? `, and ${emails.length - 5} more` : ''
  return `${emails.length} other ${emails.length === 1 ? 'email' : 'emails'} arrived: ${shown}${more}.`
}

const quote = (value: string | RegExp) => value instanceof RegExp ? String(value) : JSON.stringify(value)
