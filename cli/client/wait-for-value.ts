import type { Email, EmailSummary } from '@mayfly-mail/sdk'
import { CliError } from '../cli-error.ts'
import { oneLine, print } from '../output.ts'
import type { Client } from './as-client.ts'
import { findActiveAddress } from './find-address.ts'
import type { ClientOptions } from './options.ts'
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
  const after = options.after === 'now' ? undefined : options.after ?? address.createdAt
  const what = describe(options, address.address)
  const search = findEmail(client, { ...options, addressId: address.id, after, deadline, what })
  const email = await spinWhile(`Waiting for ${what}`, search)
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
  /** A value of `performance.now()`. */
  deadline: number
  what: string
}

/** The first mail that matches and has the requested value. */
async function findEmail({ mayfly, signal }: Client, search: Search): Promise<Email> {
  const { TimeoutError } = await import('@mayfly-mail/sdk')
  const { addressId, subject, from, to } = search
  const passed: Email[] = []
  for (let after = search.after; ; after = passed.at(-1)!.id) {
    const timeoutMs = Math.max(1, search.deadline - performance.now())
    const email = await mayfly.emails.waitFor({ addressId, after, subject, from, to, timeoutMs, signal }).catch((error: unknown) => {
      throw error instanceof TimeoutError ? timeUp(search, [...passed, ...error.arrived], error.cause) : error
    })
    if (!search.code && !search.link || valueOf(email, search) !== undefined) return email
    passed.push(email)
  }
}

/** The printed value: the requested one, or the code, else the link. */
function valueOf({ codes, links }: Email, { code, link }: Pick<WaitOptions, 'code' | 'link'>): string | undefined {
  return (link ? undefined : codes[0]) ?? (code ? undefined : links[0]?.url)
}

function timeUp({ timeout, what }: Pick<Search, 'timeout' | 'what'>, arrived: Pick<EmailSummary, 'subject' | 'from' | 'fromName'>[], cause: unknown) {
  const shown = arrived.slice(0, 5).map(quote).join(', ')
  return new CliError(oneLine([
    `Waited ${(Math.round(timeout * 10) / 10).toFixed(1)} s for ${what}.`,
    arrived.length === 0 ? '' : `Other mail arrived: ${shown}${arrived.length > 5 ? ` and ${arrived.length - 5} more` : ''}.`,
    cause instanceof Error ? `The last request failed: ${cause.message}` : '',
  ].join(' ')), 2)
}

const describe = ({ code, link, subject, from, to }: WaitOptions, address: string) => [
  'mail', code && 'with a code', link && 'with a link', from && `from "${from}"`, to && `for "${to}"`, subject && `with "${subject}" in its subject`,
  `to ${address}`,
].filter(Boolean).join(' ')

const quote = (email: Pick<EmailSummary, 'subject' | 'from' | 'fromName'>) => `"${oneLine(email.subject)}" from ${sender(email) || 'an unknown sender'}`
