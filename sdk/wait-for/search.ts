import type { RequestOptions } from '../call.ts'
import type { EmailListQuery, EmailPage } from '../email-list.ts'
import { NotFoundError, TimeoutError } from '../errors.ts'
import type { Email, EmailSummary } from '../generated/types.gen.ts'
import { firstIdAt, timeOfId } from '../ids.ts'
import { describeTimeout, matches } from './match.ts'
import { chooseStart } from './options.ts'
import type { WaitForOptions } from './options.ts'
import { readBudget } from './pace.ts'
import type { Budget } from './pace.ts'
import { lateMs } from './shown.ts'
import type { Shown, Start } from './shown.ts'

export interface EmailWaitQuery extends Pick<WaitForOptions, 'addressId' | 'after'> {
  /** Part of the sender's address or name, in any case. */
  from?: string
  /** Part of the subject, in any case. */
  subject?: string
  /** Seconds to wait at most, 0 to 60, default 30. */
  timeout?: number
}

export interface EmailWaitResult {
  /** Undefined when none came in time. */
  email: Email | undefined
  /** Give it as `after` to go on: what was still being read comes after it. */
  cursor: string
}

/** What a wait needs of its client. */
export interface Mailbox {
  fetchPage: (query: EmailListQuery, options: RequestOptions) => Promise<{ page: EmailPage, headers: Headers }>
  fetchEmail: (id: string, options: RequestOptions) => Promise<Email>
  fetchWait: (query: EmailWaitQuery, options: RequestOptions) => Promise<EmailWaitResult & { headers: Headers }>
  /** @throws NotFoundError */
  fetchAddress: (id: string, options: RequestOptions) => Promise<unknown>
  shown: Shown
  /** Of a single request. */
  timeoutMs: number
  /** How many waits there are. */
  waits: number
  /** Whether the server offers `GET /emails/wait`, as far as is known. */
  canAsk: boolean
  /** Seconds of a request that waits: a proxy on the way may have less patience. */
  longestAsk: number
}

/** The email; or what came in its place: nothing, another email, or again the same, while the server reads an earlier one. */
type Answer = { email: Email, came?: undefined } | { email?: undefined, came: 'nothing' | 'another' | 'the same' }

/** Looks for the email of a wait, in the two ways there are, and remembers what it has met. */
export function openSearch(mailbox: Mailbox, options: WaitForOptions, timeoutMs: number) {
  const { addressId, signal } = options
  const began = performance.now()
  const elapsed = () => performance.now() - began
  const timeLeft = () => timeoutMs - elapsed()
  const recent = mailbox.shown.recent()
  const met = new Map<string, EmailSummary>()
  const gone = new Set<string>()
  const judged = new Set<string>()
  let start = chooseStart(mailbox.shown, options)
  let origin = start
  let graceMs = 0

  const search = {
    elapsed,
    timeLeft,
    /** Whether mail may be there already. */
    hasBacklog: start !== undefined,
    /** Whether the server has ever answered. */
    hasLooked: false,
    budget: undefined as Budget | undefined,
    look,
    ask,
    lookLast,
    timeout,
  }
  return search

  /** Lists what is there. */
  async function look(): Promise<Email | undefined> {
    if (!start && !await arm()) return undefined
    for (const summary of await listSince(start!)) {
      met.set(summary.id, summary)
      if (!matches(summary, options)) continue
      const email = await read(summary.id)
      if (!email) continue
      mailbox.shown.returned(email, met.values())
      return email
    }
    search.hasLooked = true
    return undefined
  }

  /** Has the server wait. It knows text that must be contained; expressions are for us to check. */
  async function ask(): Promise<Answer> {
    if (!start) await arm()
    const { after, except } = start!
    const leftMs = Math.max(1, timeLeft())
    const timeout = Math.max(1, Math.min(mailbox.longestAsk, Math.ceil(leftMs / 1000)))
    const patienceMs = timeout * 1000 + mailbox.timeoutMs
    const query = { addressId, after: after ?? firstIdAt(0), from: textOf(options.from), subject: textOf(options.subject), timeout }
    const answer = await mailbox.fetchWait(query, { signal, timeoutMs: Math.min(leftMs, patienceMs) })
      .catch((error: unknown) => {
        if (error instanceof TimeoutError && leftMs <= patienceMs) return undefined // the wait is over, not the patience with the server
        throw error
      })
    if (!answer) return { came: 'nothing' }
    const { email, cursor, headers } = answer
    search.hasLooked = true
    search.budget = readBudget(headers, timeOfId(cursor))
    start = { after: later(after, cursor), except }
    if (!email) return { came: 'nothing' }
    if (except.has(email.id)) {
      const came = judged.has(email.id) ? 'the same' : 'another'
      judged.add(email.id)
      return { came }
    }
    judged.add(email.id)
    met.set(email.id, toSummary(email))
    if (!matches(email, options)) {
      start.except = new Set([...except, email.id])
      return { came: 'another' }
    }
    if (cursor < email.id) await meetAfter(cursor)
    mailbox.shown.returned(email, met.values(), cursor < email.id ? cursor : email.id)
    return { email }
  }

  /** At the end: it also tells what arrived and did not match, which the server keeps to itself while it waits. */
  async function lookLast(): Promise<Email | undefined> {
    graceMs = 1_000
    start = origin
    return look()
  }

  /** The server passes over what does not match. While it still reads an earlier mail, we have to know of that. */
  async function meetAfter(cursor: string) {
    const emails = await listSince({ after: cursor, except: new Set() }).catch(() => [])
    for (const email of emails) met.set(email.id, email)
  }

  /** Finds what the server's clock showed at the call, or a little before. @returns whether there is newer mail */
  async function arm() {
    const page = await fetchPage({ addressId, type: 'received', limit: 1 })
    const after = firstIdAt(timeOfId(page.cursor) - elapsed())
    const except = new Set(recent)
    if (page.data.some(({ id }) => id > page.cursor)) {
      // mail that is still being read holds this cursor back, not that of an address without mail
      const { cursor } = await fetchPage({ addressId: crypto.randomUUID(), limit: 1 })
      const call = firstIdAt(timeOfId(cursor) - elapsed())
      for (const { id } of await listSince({ after, except })) if (id < call) except.add(id)
    }
    origin = start = { after, except }
    return page.data.some(({ id }) => id > after)
  }

  /** All mail from the start on, oldest first. */
  async function listSince({ after, except }: Start): Promise<EmailSummary[]> {
    const emails: EmailSummary[] = []
    let page
    do {
      page = await fetchPage({ addressId, type: 'received', after, limit: 100, offset: emails.length })
      emails.push(...page.data)
    } while (page.data.length > 0 && emails.length < page.total)
    // a backlog is read once; what may still become visible is looked for again
    const settled = firstIdAt(timeOfId(page.cursor) - lateMs)
    if (page.offset > 0 && settled > (after ?? '')) origin = start = { after: settled, except }
    return emails.filter(({ id }) => !except.has(id) && !gone.has(id)).sort((a, b) => a.id < b.id ? -1 : 1)
  }

  async function fetchPage(query: EmailListQuery) {
    const request = { signal, timeoutMs: Math.max(1, Math.min(mailbox.timeoutMs, Math.max(graceMs, timeLeft()))) }
    const { page, headers } = await mailbox.fetchPage(query, request)
    search.budget = readBudget(headers, timeOfId(page.cursor))
    return page
  }

  /** What was found in time is read even when time is up. */
  async function read(id: string): Promise<Email | undefined> {
    try {
      return await mailbox.fetchEmail(id, { signal, timeoutMs: Math.min(mailbox.timeoutMs, Math.max(5_000, timeLeft())) })
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error
      gone.add(id) // deleted since the list was made
      return undefined
    }
  }

  function timeout(failure: unknown) {
    const arrived = [...met.values()].sort((a, b) => a.id < b.id ? -1 : 1)
    const message = describeTimeout({ ...options, timeoutMs }, search.hasLooked ? arrived : undefined, failure)
    return new TimeoutError(message, { cause: failure, arrived })
  }
}

/** What the server takes. */
const textOf = (wanted: string | RegExp | undefined) =>
  typeof wanted === 'string' && wanted !== '' && wanted.length <= 255 ? wanted : undefined

const later = (a: string | undefined, b: string) => a !== undefined && a > b ? a : b

/** As a list would show it. */
const toSummary = ({ attachments, ...email }: Email): EmailSummary => ({
  ...email, isTruncated: false, hasAttachments: attachments.length > 0, preview: email.bodyText.replace(/\s+/g, ' ').trim().slice(0, 200),
})
