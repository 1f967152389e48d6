import { isPassing } from '../answers.ts'
import { clock } from '../clock.ts'
import type { CallOptions } from '../connection.ts'
import type { EmailListQuery, EmailPage } from '../email-list.ts'
import { NotFoundError, RateLimitError, TimeoutError } from '../errors.ts'
import type { Email, EmailSummary } from '../generated/types.gen.ts'
import { firstIdAt, needId, timeOfId, toCursor } from '../ids.ts'
import { checkTimeout } from '../options.ts'
import { toList } from '../pages.ts'
import type { MayflyPromise } from '../promise.ts'
import { backoff, sleep } from '../retry.ts'
import { describeTimeout, isCut, matches } from './match.ts'
import type { EmailWaitQuery, EmailWaitResult, WaitForOptions } from './options.ts'
import { lateMs, max } from './shown.ts'
import type { Shown, Start } from './shown.ts'

/** What a wait needs of its client. */
export interface Mailbox {
  list: (query: EmailListQuery, options: CallOptions) => MayflyPromise<EmailPage>
  get: (id: string, options: CallOptions) => Promise<Email>
  wait: (query: EmailWaitQuery, options: CallOptions) => Promise<EmailWaitResult>
  shown: Shown
  /** Of a single request. */
  timeoutMs: number
}

/** Seconds of one request: proxies end longer ones. */
const maxWaitSeconds = 25
/** Emails that are listed at most: a longer backlog is asked for one by one. */
const maxListed = 10_000
/** Bytes of JSON in a page of such a list at most. A page of 100 emails has less than 550 kB. */
const maxPageBytes = 640 * 1024
/** Milliseconds for the last list, which tells what did arrive. */
const lastLookMs = 1_000

/** Has the server wait, again and again, until the email is there. Failures that may pass are tried again. */
export async function waitFor(mailbox: Mailbox, options: WaitForOptions): Promise<Email> {
  const { addressId, from, subject, signal, timeoutMs = 30_000 } = options
  const { shown } = mailbox
  const began = clock.now()
  const elapsed = () => clock.now() - began
  let endMs = checkTimeout(timeoutMs)
  let maxRetries = Infinity
  let start = chooseStart(shown, options)
  let arrived: EmailSummary[] | undefined

  try {
    // the server knows no expressions: a backlog is read in pages, and not an email a request
    const found = start && (from instanceof RegExp || subject instanceof RegExp) && await look() || await ask()
    if (found) return found
  } catch (error) {
    if (signal?.aborted || !isPassing(error) || error instanceof RateLimitError) throw error
  }
  return lookLast()

  /** Options of a request: all of the remaining time. */
  function remaining(tryMs = mailbox.timeoutMs): CallOptions {
    return { signal, maxRetries, timeoutMs: Math.max(1, endMs - elapsed()), tryMs }
  }

  async function ask(): Promise<Email | undefined> {
    const { after, except } = start ??= await startNow()
    const met: Pick<Email, 'id' | 'addressId'>[] = []
    const judged = new Set(except)
    let cursor = after
    for (let repeats = 0; elapsed() < endMs;) {
      const askedMs = elapsed()
      const timeout = Math.min(maxWaitSeconds, Math.ceil((endMs - askedMs) / 1000))
      const { email, cursor: next } = await mailbox.wait(
        { addressId, after: cursor || firstIdAt(0), from: textOf(from), subject: textOf(subject), timeout },
        remaining(timeout * 1000 + mailbox.timeoutMs),
      )
      cursor = max(cursor, next)
      if (!email || judged.has(email.id)) {
        // until the server has parsed an earlier mail, one that was judged is returned again at once
        await sleep(Math.min(endMs - elapsed(), backoff(++repeats) - (elapsed() - askedMs)), signal)
        continue
      }
      repeats = 0
      judged.add(email.id)
      met.push({ id: email.id, addressId: email.addressId })
      if (!matches(email, options)) continue
      // the server skips mail that does not match: while it still parses an earlier one, those after the cursor are listed here
      const passed = next < email.id ? await listSince(next).catch(() => undefined) : undefined
      shown.show(email, next, [...met, ...passed ?? []])
      return email
    }
  }

  /** Lists what is there. */
  async function look(): Promise<Email | undefined> {
    const { after, except } = start!
    arrived = (await listSince(after))?.filter(({ id }) => !except.has(id))
    for (const { id } of arrived?.filter((item) => isCut(item) || matches(item, options)) ?? []) {
      try {
        const email = await mailbox.get(id, remaining())
        if (!matches(email, options)) continue
        shown.show(email, firstIdAt(timeOfId(id) - lateMs), arrived)
        return email
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error // deleted since the list was made
      }
    }
  }

  /** At the end: lists what arrived and did not match, which a wait does not return. */
  async function lookLast(): Promise<Email> {
    let failure: Error | undefined
    endMs = elapsed() + lastLookMs
    maxRetries = 0
    try {
      start ??= await startNow()
      const email = await look()
      if (email) return email
    } catch (error) {
      if (signal?.aborted || !isPassing(error)) throw error
      failure = error
    }
    throw new TimeoutError(describeTimeout(options, timeoutMs, arrived, failure), { cause: failure, arrived })
  }

  /** The moment of the call, or a little before: what was there then is not waited for. */
  async function startNow(): Promise<Start> {
    const { data: [newest], cursor } = await mailbox.list({ addressId, type: 'received', limit: 1 }, remaining())
    const after = firstIdAt(timeOfId(cursor) - elapsed())
    const except = shown.recent()
    if (newest && newest.id > cursor) {
      // mail that is still being parsed holds this cursor back, but not that of an address without mail
      const { cursor: now } = await mailbox.list({ addressId: firstIdAt(0), limit: 1 }, remaining())
      const call = firstIdAt(timeOfId(now) - elapsed())
      for (const { id } of await listSince(after) ?? []) if (id < call) except.add(id)
    }
    return { after, except }
  }

  /** All mail after a cursor, oldest first; undefined where there is more than `maxListed`. */
  async function listSince(after: string): Promise<EmailSummary[] | undefined> {
    const emails: EmailSummary[] = []
    const query: EmailListQuery = { addressId, type: 'received', after: after || undefined, limit: 100 }
    const list = toList<EmailPage, EmailListQuery, EmailSummary>(query, (part) =>
      mailbox.list(part, { ...remaining(), maxBytes: maxPageBytes }))
    for await (const email of list) if (emails.push(email) > maxListed) return undefined
    return emails.sort((a, b) => a.id < b.id ? -1 : 1)
  }
}

/** @returns undefined for the moment of the call */
function chooseStart(shown: Shown, options: WaitForOptions): Start | undefined {
  const { addressId, after } = options
  // an id that is missing by mistake must not mean every address
  if ('addressId' in options) needId(addressId, 'emails.waitFor: addressId')
  if (after !== undefined) return { after: toCursor(after, 'emails.waitFor'), except: new Set() }
  return addressId === undefined ? undefined : shown.startOf(addressId)
}

/** What the server takes. */
const textOf = (wanted: string | RegExp = '') => wanted instanceof RegExp || wanted.length > 255 ? undefined : wanted || undefined
