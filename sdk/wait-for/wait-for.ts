import { isPassing } from '../answers.ts'
import { clock } from '../clock.ts'
import type { CallOptions } from '../connection.ts'
import type { EmailListQuery, EmailPage } from '../email-list.ts'
import { NotFoundError, RateLimitError, TimeoutError } from '../errors.ts'
import type { Email, EmailSummary } from '../generated/types.gen.ts'
import { firstIdAt, needId, timeOfId, toCursor } from '../ids.ts'
import { checkTimeout } from '../options.ts'
import { backoff, sleep } from '../retry.ts'
import { describeTimeout, matches } from './match.ts'
import type { EmailWaitQuery, EmailWaitResult, WaitForOptions } from './options.ts'
import { lateMs, max } from './shown.ts'
import type { Shown, Start } from './shown.ts'

/** What a wait needs of its client. */
export interface Mailbox {
  list: (query: EmailListQuery, options: CallOptions) => Promise<EmailPage>
  get: (id: string, options: CallOptions) => Promise<Email>
  wait: (query: EmailWaitQuery, options: CallOptions) => Promise<EmailWaitResult>
  shown: Shown
  /** Of a single request. */
  timeoutMs: number
}

/** Seconds that the server is asked to wait at a time: what is on the way may have little patience. */
const longestAsk = 25
/** Milliseconds for the last look, which tells what did arrive. */
const lastLookMs = 1_000

/** Has the server wait, again and again, until the email is there. What may pass is waited out. */
export async function waitFor(mailbox: Mailbox, options: WaitForOptions): Promise<Email> {
  const { addressId, from, subject, signal, timeoutMs = 30_000 } = options
  const { list, shown } = mailbox
  const began = clock.now()
  const elapsed = () => clock.now() - began
  const timeLeft = () => checkTimeout(timeoutMs) + graceMs - elapsed()
  let graceMs = 0
  const recent = shown.recent()
  const met = new Map<string, EmailSummary>()
  let hasLooked = false
  let start = chooseStart(shown, options)
  let origin = start

  let found: Email | undefined

  try {
    // the server knows no expressions: a backlog is read in pages, and not an email a request
    if (start && (from instanceof RegExp || subject instanceof RegExp)) found = await look()
    found ??= await ask()
  } catch (error) {
    if (signal?.aborted || !isPassing(error) || error instanceof RateLimitError) throw error
  }
  return found ?? lookLast()

  /** As patient as the wait. */
  function patience(): CallOptions {
    return { signal, maxRetries: graceMs ? 0 : Infinity, timeoutMs: Math.max(1, timeLeft()), tryMs: mailbox.timeoutMs }
  }

  async function ask(): Promise<Email | undefined> {
    start ??= origin = await startNow()
    for (let repeats = 0; timeLeft() > 0;) {
      const timeout = Math.max(1, Math.min(longestAsk, Math.ceil(timeLeft() / 1000)))
      const { email, cursor } = await mailbox.wait(
        { addressId, after: start.after || firstIdAt(0), from: textOf(from), subject: textOf(subject), timeout },
        { ...patience(), tryMs: timeout * 1000 + mailbox.timeoutMs },
      )
      hasLooked = true
      start.after = max(start.after, cursor)
      const isNew = email && !start.except.has(email.id)
      if (isNew && matches(email, options)) {
        // the server passes over what does not match: while it still reads an earlier mail, we have to know of that
        if (cursor < email.id) await listSince(cursor).catch(() => {})
        shown.show(email, cursor, met.values())
        return email
      }
      if (isNew) met.set(email.id, toSummary(email))
      if (email && cursor < email.id) {
        // it comes again until the earlier one has been read
        start.except.add(email.id)
        if (!isNew) await sleep(Math.min(backoff(++repeats), timeLeft()), signal)
      }
    }
  }

  /** Lists what is there. */
  async function look(): Promise<Email | undefined> {
    for (const { id } of await listSince(start!.after)) {
      if (start!.except.has(id) || !matches(met.get(id)!, options)) continue
      try {
        const email = await mailbox.get(id, patience())
        shown.show(email, firstIdAt(timeOfId(id) - lateMs), met.values())
        return email
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error // deleted since the list was made
      }
    }
  }

  /** At the end: it also tells what arrived and did not match, which the server keeps to itself while it waits. */
  async function lookLast(): Promise<Email> {
    let failure: unknown
    graceMs = lastLookMs
    try {
      start = origin ??= await startNow()
      const email = await look()
      if (email) return email
    } catch (error) {
      if (signal?.aborted || !isPassing(error)) throw error
      failure = error
    }
    const arrived = [...met.values()].filter(({ id }) => !origin?.except.has(id)).sort(byId)
    const message = describeTimeout({ ...options, timeoutMs }, hasLooked ? arrived : undefined, failure)
    throw new TimeoutError(message, { cause: failure, arrived })
  }

  /** The moment of the call, or a little before: what was there then is not waited for. */
  async function startNow(): Promise<Start> {
    const { data: [newest], cursor } = await list({ addressId, type: 'received', limit: 1 }, patience())
    const start = { after: firstIdAt(timeOfId(cursor) - elapsed()), except: recent }
    if (newest && newest.id > cursor) {
      // mail that is still being read holds this cursor back, not that of an address without mail
      const { cursor: now } = await list({ addressId: crypto.randomUUID(), limit: 1 }, patience())
      const call = firstIdAt(timeOfId(now) - elapsed())
      for (const { id } of await listSince(start.after)) if (id < call) recent.add(id)
      met.clear()
    }
    return start
  }

  /** All mail from there on, oldest first. */
  async function listSince(after: string): Promise<EmailSummary[]> {
    const emails: EmailSummary[] = []
    let page
    do {
      page = await list({ addressId, type: 'received', after: after || undefined, limit: 100, offset: emails.length }, patience())
      emails.push(...page.data)
      for (const email of page.data) met.set(email.id, email)
      hasLooked = true
    } while (page.data.length > 0 && emails.length < page.total)
    return emails.sort(byId)
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
const textOf = (wanted: string | RegExp | undefined) =>
  typeof wanted === 'string' && wanted !== '' && wanted.length <= 255 ? wanted : undefined

const byId = (a: EmailSummary, b: EmailSummary) => a.id < b.id ? -1 : 1

/** As a list would show it. */
const toSummary = ({ attachments, ...email }: Email): EmailSummary => ({
  ...email, isTruncated: false, hasAttachments: attachments.length > 0, preview: email.bodyText.replace(/\s+/g, ' ').trim().slice(0, 200),
})
