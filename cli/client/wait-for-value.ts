import type { Email, EmailSummary } from '@mayfly-mail/sdk'
import { CliError } from '../cli-error.ts'
import { oneLine, print } from '../output.ts'
import type { Client } from './as-client.ts'
import { findActiveAddress } from './find-address.ts'
import type { ClientOptions } from './options.ts'
import { emailId } from './resources.ts'
import { sender } from './show-email.ts'
import { spinWhile } from './spin.ts'

export interface WaitOptions extends ClientOptions {
  code?: boolean
  link?: boolean
  subject?: string
  from?: string
  to?: string
  /** Seconds. */
  timeout: number
  /** `now` is the time of the call. */
  after?: string | Date
}

/** Prints the code or the link of the first mail that matches. @throws CliError with exit code 2 after the timeout */
export async function waitForValue(client: Client, wanted: string, options: WaitOptions): Promise<void> {
  const deadline = performance.now() + options.timeout * 1000
  const address = await findInTime(client, wanted, options)
  const { after: moment = address.createdAt } = options
  const after = moment === 'now' ? undefined : typeof moment === 'string' ? await emailId(client, moment) : moment
  const what = describe(options, address.address)
  const since = after instanceof Date ? after : moment === 'now' ? new Date() : address.createdAt
  const search = findEmail(client, { ...options, addressId: address.id, after, since, deadline, what })
  const email = await spinWhile(`Waiting for ${what}`, search, deadline)
  if (options.json) return print(options, email, String)
  const value = valueOf(email, options)
  if (value) return print(options, value, oneLine)
  throw new CliError(`${quote(email)} has neither a code nor a link. --code or --link waits for one; "mayfly email show ${email.id}" shows it.`)
}

/** Takes up to a second longer than `--timeout`, as `waitFor` of the SDK does. */
async function findInTime(client: Client, wanted: string, options: WaitOptions) {
  const { TimeoutError } = await import('@mayfly-mail/sdk')
  return findActiveAddress(client, wanted, options.timeout * 1000 + 1000).catch((error: unknown) => {
    throw error instanceof TimeoutError ? timeUp({ ...options, what: describe(options, wanted) }, [], error) : error
  })
}

interface Search extends Omit<WaitOptions, 'after'> {
  addressId: string
  after: string | Date | undefined
  /** The time from which on refused mail is reported. */
  since: Date
  /** A value of `performance.now()`. */
  deadline: number
  what: string
}

/** The first mail that matches and has the requested value. */
async function findEmail(client: Client, search: Search): Promise<Email> {
  const { mayfly, signal } = client
  const { TimeoutError } = await import('@mayfly-mail/sdk')
  const { addressId, subject, from, to } = search
  const passed: Email[] = []
  for (let after = search.after; ; after = passed.at(-1)!.id) {
    const timeoutMs = Math.max(1, search.deadline - performance.now())
    const email = await mayfly.emails.waitFor({ addressId, after, subject, from, to, timeoutMs, signal }).catch(async (error: unknown) => {
      if (!(error instanceof TimeoutError)) throw error
      throw timeUp(search, [...passed, ...error.arrived], error.cause, error.cause ? [] : await refusedSince(client, search))
    })
    if (!search.code && !search.link || valueOf(email, search) !== undefined) return email
    passed.push(email)
  }
}

/** The printed value: the requested one, or the code, else the link. */
function valueOf({ codes, links }: Email, { code, link }: Pick<WaitOptions, 'code' | 'link'>): string | undefined {
  return (link ? undefined : codes[0]) ?? (code ? undefined : links[0]?.url)
}

/** Time for the last request, after the timeout. */
const maxReportMs = 1_000

/** The replies to refused mail at the address, newest first. It is a part of a report, so it has no errors. */
async function refusedSince({ mayfly, signal }: Client, { addressId, since }: Search): Promise<string[]> {
  try {
    const { data } = await mayfly.addresses.activity(addressId, { limit: 100 }, { signal, timeoutMs: maxReportMs })
    return data.filter(({ createdAt, code }) => createdAt >= since && code !== null && code >= 400).map(({ code, text }) => `${code} ${text}`)
  } catch {
    signal.throwIfAborted()
    return []
  }
}

type Arrived = Pick<EmailSummary, 'subject' | 'from' | 'fromName'>

function timeUp({ timeout, what, ...wanted }: Pick<Search, 'timeout' | 'what'> & Filters, arrived: Arrived[], cause: unknown, refused: string[] = []) {
  const instead = [
    arrived.length > 0 && `${countOf(arrived, 'mail')} came, none with ${lackOf(wanted)}: ${listed(arrived.map(quote))}`,
    refused.length > 0 && `${refused.length} refused: ${listed([...new Set(refused)])}`,
  ].filter(Boolean)
  return new CliError(oneLine([
    `Waited ${(Math.round(timeout * 10) / 10).toFixed(1)} s for ${what}.`,
    instead.length > 0 ? `${instead.join('; ')}.` : '',
    cause instanceof Error ? `The last request failed: ${cause.message}` : '',
  ].join(' ')), 2)
}

const countOf = ({ length }: unknown[], noun: string) => `${length} ${noun}${length === 1 ? '' : 's'}`

/** Maximum mails, or replies, that an error names. */
const maxNamed = 5

const listed = (texts: string[]) =>
  texts.slice(0, maxNamed).join(', ') + (texts.length > maxNamed ? ` and ${texts.length - maxNamed} more` : '')

type Filters = Pick<WaitOptions, 'code' | 'link' | 'subject' | 'from' | 'to'>

const lackOf = ({ code, link, from, to, subject }: Filters) => [
  code && 'a code', link && 'a link', from && 'that sender', to && 'that recipient', subject && 'that subject',
].filter(Boolean).join(' and ')

const describe = ({ code, link, subject, from, to }: WaitOptions, address: string) => [
  'mail', code && 'with a code', link && 'with a link', from && `from "${from}"`, to && `for "${to}"`, subject && `with "${subject}" in its subject`,
  `to ${address}`,
].filter(Boolean).join(' ')

const quote = (email: Pick<EmailSummary, 'subject' | 'from' | 'fromName'>) => `"${oneLine(email.subject)}" from ${sender(email) || 'an unknown sender'}`
