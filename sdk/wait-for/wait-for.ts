import type { RequestOptions } from '../call.ts'
import { checkTimeout } from '../connection.ts'
import type { EmailListQuery, EmailPage } from '../email-list.ts'
import { ApiError, MayflyError, NetworkError, NotFoundError, RateLimitError, ServerError, TimeoutError } from '../errors.ts'
import type { Email, EmailSummary } from '../generated/types.gen.ts'
import { firstIdAt, timeOfId } from '../ids.ts'
import { describeTimeout, matches } from './match.ts'
import { chooseStart } from './options.ts'
import type { WaitForOptions } from './options.ts'
import { nextDelay, readBudget } from './pace.ts'
import type { Budget } from './pace.ts'
import { lateMs } from './shown.ts'
import type { Shown, Start } from './shown.ts'

/** What a wait needs of its client. */
interface Mailbox {
  fetchPage: (query: EmailListQuery, options: RequestOptions) => Promise<{ page: EmailPage, headers: Headers }>
  fetchEmail: (id: string, options: RequestOptions) => Promise<Email>
  shown: Shown
  /** Of a single request. */
  timeoutMs: number
  /** How many waits there are. */
  waits: number
}

/** Polls until the email is there. Waits out rate limits, faults of the server and lost connections. */
export async function waitFor(mailbox: Mailbox, options: WaitForOptions): Promise<Email> {
  mailbox.waits++
  try {
    return await poll(mailbox, options)
  } finally {
    mailbox.waits--
  }
}

async function poll(mailbox: Mailbox, options: WaitForOptions): Promise<Email> {
  const { addressId, timeoutMs = 30_000, signal } = options
  const began = performance.now()
  const timeLeft = () => began + timeoutMs - performance.now()
  checkTimeout(timeoutMs, 'timeoutMs')
  let start = chooseStart(mailbox.shown, options)
  const recent = mailbox.shown.recent()
  const met = new Map<string, EmailSummary>()
  const gone = new Set<string>()
  let budget: Budget | undefined
  let failure: unknown
  let failures = 0
  let hasLooked = false

  for (let looks = 1; ; looks++) {
    let delay: number
    try {
      const email = await look()
      if (email) return email
      failures = 0
      failure = undefined
      hasLooked = true
      const elapsedMs = performance.now() - began
      delay = nextDelay({ looks, elapsedMs, leftMs: timeLeft(), waits: mailbox.waits, budget })
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (!isPassing(error)) throw error
      // a look that the end of the wait cut short is no fault, unless nothing ever answered
      if (!hasLooked || timeLeft() > 0) failure = error
      budget = undefined
      delay = (error instanceof ApiError ? error.retryAfterMs : undefined) ?? Math.min(2_000, 100 * 2 ** failures++)
    }
    if (!await pause(delay)) throw timeout()
  }

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
    return undefined
  }

  /** Finds what the server's clock showed at the call, or a little before. @returns whether there is newer mail */
  async function arm() {
    const page = await fetchPage({ addressId, type: 'received', limit: 1 })
    const after = firstIdAt(timeOfId(page.cursor) - (performance.now() - began))
    start = { after, except: recent }
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
    if (page.offset > 0 && settled > (after ?? '')) start = { after: settled, except }
    return emails.filter(({ id }) => !except.has(id) && !gone.has(id)).sort((a, b) => a.id < b.id ? -1 : 1)
  }

  async function fetchPage(query: EmailListQuery) {
    const request = { signal, timeoutMs: Math.max(1, Math.min(mailbox.timeoutMs, timeLeft())) }
    const { page, headers } = await mailbox.fetchPage(query, request)
    budget = readBudget(headers, timeOfId(page.cursor))
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

  /** @returns whether there is time for another look, the last of them shortly before the end */
  async function pause(ms: number): Promise<boolean> {
    const left = timeLeft()
    const lastLookMs = Math.min(250, timeoutMs / 10)
    const mayLook = (budget?.remaining ?? 2) > 1 && !(failure instanceof RateLimitError)
    const isLast = ms > left - lastLookMs
    const hasLastLook = isLast && mayLook && left > 2 * lastLookMs
    await sleep(Math.max(0, !isLast ? ms : hasLastLook ? left - lastLookMs : left), signal)
    return !isLast || hasLastLook
  }

  function timeout() {
    const arrived = [...met.values()].sort((a, b) => a.id < b.id ? -1 : 1)
    const message = describeTimeout({ ...options, timeoutMs }, hasLooked ? arrived : undefined, failure)
    return new TimeoutError(message, { cause: failure, arrived })
  }
}

/** Faults that may be over at the next look. */
const isPassing = (error: unknown): error is MayflyError =>
  error instanceof NetworkError || error instanceof TimeoutError || error instanceof RateLimitError
  || error instanceof ServerError && error.code !== 'NOT_IMPLEMENTED'

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(wake, Math.min(ms, 2 ** 31 - 1))
    signal?.addEventListener('abort', wake, { once: true })
    if (signal?.aborted) wake()
  })
}
