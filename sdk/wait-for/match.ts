import type { Email, EmailSummary } from '../generated/types.gen.ts'
import type { TextFilter, WaitInput } from './options.ts'
import type { Wanted } from './wait.ts'

type Filters = Pick<WaitInput, 'from' | 'to' | 'subject' | 'body'>
type Filtered = Pick<EmailSummary, 'from' | 'fromName' | 'to' | 'subject' | 'bodyText' | 'bodyHtml'> & Partial<Pick<Email, 'recipients'>>

/** The texts that a filter is compared with: one of them has to match. */
const textsOf: Record<keyof Filters, (email: Filtered) => string[]> = {
  from: ({ from, fromName }) => [from, fromName],
  to: ({ to, recipients }) => recipients ?? [to],
  subject: ({ subject }) => [subject],
  body: ({ bodyText, bodyHtml }) => [bodyText, bodyHtml],
}
const filterNames = Object.keys(textsOf) as (keyof Filters)[]

export const matches = (email: Filtered, filters: Filters): boolean =>
  filterNames.every((name) =>
    textsOf[name](email).some((text) => name === 'to' ? matchesRecipient(text, filters.to) : matchesText(text, filters[name])))

/** The filter for recipients that the server takes: a whole address, or `*@domain`. */
export const wholeAddress = (filter?: TextFilter): string | undefined =>
  typeof filter === 'string' && /^(?:\*@[^@\s]+|[^@\s]+@[^@\s]+\.[^@\s]+)$/.test(filter) ? filter : undefined

function matchesRecipient(recipient: string, filter?: TextFilter): boolean {
  const whole = wholeAddress(filter)
  if (whole === undefined) return matchesText(recipient, filter)
  const [wanted, compared] = [comparedAddress(whole), comparedAddress(`${recipient}`)]
  return wanted[0] === '*' ? compared.endsWith(wanted.slice(1)) : compared === wanted
}

/** An address, or `*@domain`, in the form in which the server compares it: in lower case, its domain as A-labels. */
function comparedAddress(address: string): string {
  const start = address.lastIndexOf('@') + 1
  const url = `http://${address.slice(start)}`
  return (address.slice(0, start) + (URL.canParse(url) ? new URL(url).hostname : address.slice(start))).toLowerCase()
}

/** Whether a list may have truncated a text that the filters compare: then only the whole email can be matched. */
export const isTruncated = (email: EmailSummary, { body, to }: Filters): boolean =>
  `${email.subject}`.endsWith('…') || `${email.fromName}`.endsWith('…')
  || body !== undefined && email.isTruncated || to !== undefined && email.recipientsTotal > 1

/** Whether a text has the text of the filter, in any case, or matches its expression. */
export function matchesText(text: string, filter: TextFilter = ''): boolean {
  // search() ignores lastIndex, which the flags g and y would keep between calls
  return filter instanceof RegExp ? `${text}`.search(filter) >= 0 : `${text}`.toLowerCase().includes(filter.toLowerCase())
}

/** The result of a wait at its time-out. */
interface Missed {
  /** In place of the id of the address; undefined when it is not known. */
  mailbox?: string
  timeoutMs: number
  /** Undefined when no list succeeded. */
  arrived?: readonly EmailSummary[]
  /** Ids of the emails that match the filters, and lack the wanted part. */
  lacking: Set<string>
  wanted?: Wanted
  failure?: Error
}

/** The message of a wait's TimeoutError: the filters, and the mail that arrived instead. */
export function describeTimeout(options: WaitInput, { mailbox, timeoutMs, arrived, lacking, wanted, failure }: Missed): string {
  const members = ([...filterNames, 'text', 'url', ...mailbox ? [] : ['addressId'] as const] as const)
    .filter((name) => options[name] !== undefined).map((name) => `${name} ${quote(options[name]!)}`)
  const awaited = [...wanted ? [wanted.name] : [], ...members].join(', ')
  const seconds = (Math.round(timeoutMs / 100) / 10).toFixed(1)
  return `Waited ${seconds} s for an email${mailbox ? ` to ${mailbox}` : ''}${awaited && ` with ${awaited}`}.`
    + (arrived ? describeArrived(arrived, lacking, wanted) : '')
    + (failure ? ` The last request failed: ${failure.message}` : '')
}

function describeArrived(arrived: readonly EmailSummary[], lacking: Set<string>, wanted?: Wanted) {
  const near = arrived.filter(({ id }) => lacking.has(id))
  const other = arrived.filter(({ id }) => !lacking.has(id))
  return (near.length ? ` ${near.length} mail${near.length > 1 ? 's' : ''} came, without ${wanted!.missing}: ${listMails(near)}.` : '')
    + (other.length ? ` Other mail arrived: ${listMails(other)}.` : near.length ? '' : ' No other mail arrived.')
}

function listMails(emails: EmailSummary[]) {
  const listed = emails.slice(0, 5).map(({ subject, from }) => `${quote(subject)} from ${from || 'an unknown sender'}`)
  if (emails.length > 5) listed.push(`and ${emails.length - 5} more`)
  return listed.join(', ')
}

const quote = (value: TextFilter) => value instanceof RegExp ? String(value) : JSON.stringify(value)
