import { clock } from '../core/clock.ts'
import { attemptTimeoutMs, maxBytes } from '../core/connection.ts'
import type { CallOptions } from '../core/connection.ts'
import { NotFoundError, RateLimitError, TimeoutError } from '../core/errors.ts'
import { firstIdAt, hasCompared, timeOfId } from '../core/ids.ts'
import { toList } from '../core/pages.ts'
import { backoff, isTransient, sleep, within } from '../core/retry.ts'
import type { Email, EmailSummary } from '../generated/types.gen.ts'
import type { EmailListQuery, EmailPage } from '../resources/email-list.ts'
import { getEmail, listEmails, waitForEmail } from '../resources/email-requests.ts'
import { checkOptions } from './check.ts'
import { describeTimeout, isTruncated, matches } from './match.ts'
import type { TextFilter } from './options.ts'
import { wantedPart } from './parts.ts'
import { max, maxParseDelayMs } from './seen-mail.ts'
import type { Start } from './seen-mail.ts'
import type { Awaited, Wait } from './wait.ts'

/** Maximum duration of one request: proxies end longer ones. */
const maxWaitSeconds = 25
/** Maximum number of emails that are listed: of a longer backlog, the emails are requested one by one. */
const maxListed = 10_000
/** Maximum bytes of JSON in a page of such a list. A page of 100 emails has less than 550 kB. */
const maxPageBytes = 640 * 1024
/** Time for the last list, whose emails the TimeoutError describes. */
const lastListTimeoutMs = 1_000

/** Sends `emails.wait` again and again until an email matches. Transient errors are retried. */
export async function waitFor({ connection, seen, options, inbox, timeoutMs, began, start: called }: Wait): Promise<Awaited> {
  checkOptions(options, inbox)
  const addressId = inbox?.id ?? options.addressId
  const { from, to, subject, body, match, signal } = options
  const wanted = wantedPart(options, inbox)
  const elapsed = () => clock.now() - began
  let endMs = timeoutMs
  let maxRetries = Infinity
  /** Undefined until the server's time of the call is known. */
  let start = called.after === undefined ? undefined : called as Start
  let arrived: EmailSummary[] | undefined
  /** Whole emails that do not match, and those of them that lack the wanted part alone. */
  const refused = new Set<string>()
  const lacking = new Set<string>()
  let hasMatchThrown = false

  try {
    // the server matches text in sender and subject alone: for other filters the backlog is listed, in place of one request for each email
    const isListed = from instanceof RegExp || subject instanceof RegExp || to !== undefined || body !== undefined
    const found = start && isListed && await findListed() || await waitOnServer()
    if (found) return withPart(found)
  } catch (error) {
    if (isFinal(error) || error instanceof RateLimitError) throw error
  }
  return withPart(await findAtEnd())

  function withPart(email: Email): Awaited {
    return { email, part: wanted?.find(email) }
  }

  /** Options of a request, which may take all of the remaining time. */
  function remaining(attemptMs = connection.timeoutMs): CallOptions {
    return { signal, maxRetries, timeoutMs: Math.max(1, endMs - elapsed()), [attemptTimeoutMs]: attemptMs }
  }

  /** Whether an error ends the wait. */
  function isFinal(error: unknown): boolean {
    return hasMatchThrown || !!signal?.aborted || !isTransient(error)
  }

  /** Whether an email, with its whole body, matches all options of the wait. */
  async function isAwaited(email: Email): Promise<boolean> {
    if (refused.has(email.id)) return false
    const isNear = matches(email, options)
    const isLacking = isNear && wanted !== undefined && wanted.find(email) === undefined
    if (isNear && !isLacking && (!match || await callMatch(email))) return true
    refused.add(email.id)
    if (isLacking) lacking.add(email.id)
    return false
  }

  /** Calls the caller's `match`, for the rest of the time. */
  function callMatch(email: Email): Promise<boolean> {
    const timeoutError = () => new TimeoutError('match has not resolved')
    return within({ timeoutMs: remaining().timeoutMs!, signal, timeoutError }, async () => {
      try {
        return await match!(email)
      } catch (error) {
        hasMatchThrown = true
        throw error
      }
    })
  }

  async function waitOnServer(): Promise<Email | undefined> {
    const { after, except } = start ??= await startNow()
    const skipped: Pick<Email, 'id' | 'addressId'>[] = []
    const checked = new Set(except)
    let cursor = after
    for (let repeats = 0; elapsed() < endMs;) {
      const requestedMs = elapsed()
      const timeout = Math.min(maxWaitSeconds, Math.ceil((endMs - requestedMs) / 1000))
      const { email, cursor: next } = await waitForEmail(
        connection, { addressId, after: cursor || firstIdAt(0), from: toServerFilter(from), subject: toServerFilter(subject), timeout },
        remaining(timeout * 1000 + connection.timeoutMs),
      )
      const hasMoved = next > cursor
      cursor = max(cursor, next)
      if (!email || checked.has(email.id)) {
        // until the server has parsed an earlier mail, it returns an email that was checked already, at once
        repeats++
        if (email && hasMoved && repeats === 1) continue
        await sleep(Math.min(endMs - elapsed(), backoff(repeats) - (elapsed() - requestedMs)), signal)
        continue
      }
      repeats = 0
      checked.add(email.id)
      skipped.push({ id: email.id, addressId: email.addressId })
      if (!await isAwaited(email)) continue
      // the server skips mail that does not match: while it parses an earlier mail, the mail after the cursor is listed here
      const hidden = next < email.id && !hasCompared(next) ? await listSince(next).catch(() => undefined) : undefined
      seen.add(email, next, [...skipped, ...hidden ?? []])
      return email
    }
  }

  /** Lists the mail from `start` on and returns the oldest match. */
  async function findListed(): Promise<Email | undefined> {
    const { after, except } = start!
    arrived = (await listSince(after))?.filter(({ id }) => !except.has(id))
    const candidates = arrived?.filter((item) => !refused.has(item.id) && (isTruncated(item, options) || matches(item, options)))
    for (const { id } of candidates ?? []) {
      try {
        const email = await getEmail(connection, id, remaining())
        if (!await isAwaited(email)) continue
        seen.add(email, firstIdAt(timeOfId(id) - maxParseDelayMs), arrived)
        return email
      } catch (error) {
        if (hasMatchThrown || !(error instanceof NotFoundError)) throw error // deleted since the list was made
      }
    }
  }

  /** After the time-out: lists the mail once more, and reports what did not match. */
  async function findAtEnd(): Promise<Email> {
    let failure: Error | undefined
    endMs = elapsed() + lastListTimeoutMs
    maxRetries = 0
    try {
      start ??= await startNow()
      const email = await findListed()
      if (email) return email
    } catch (error) {
      if (isFinal(error)) throw error
      failure = error as Error
    }
    const missed = { mailbox: inbox?.address, timeoutMs, arrived, lacking, wanted, failure }
    throw new TimeoutError(describeTimeout(options, missed), { cause: failure, arrived })
  }

  /** The time of the call, or a little before. Mail that was there then is excluded. */
  async function startNow(): Promise<Start> {
    const { data: [newest], cursor } = await listEmails(connection, { addressId, type: 'received', limit: 1 }, remaining())
    const after = firstIdAt(timeOfId(cursor) - elapsed())
    const except = new Set(called.except)
    if (newest && newest.id > cursor) {
      // mail in the server's parser holds this cursor back, but not the cursor of an address without mail
      const { cursor: now } = await listEmails(connection, { addressId: firstIdAt(0), limit: 1 }, remaining())
      const callId = firstIdAt(timeOfId(now) - elapsed())
      for (const { id } of await listSince(after) ?? []) if (id < callId) except.add(id)
    }
    return { after, except }
  }

  /** All mail after a cursor, oldest first; undefined for more than `maxListed` emails. */
  async function listSince(after: string): Promise<EmailSummary[] | undefined> {
    const emails: EmailSummary[] = []
    const query: EmailListQuery = { addressId, type: 'received', after: after || undefined, limit: 100 }
    const list = toList<EmailPage, EmailListQuery, EmailSummary>(query, (part) =>
      listEmails(connection, part, { ...remaining(), [maxBytes]: maxPageBytes }))
    for await (const email of list) if (emails.push(email) > maxListed) return undefined
    return emails.sort((a, b) => a.id < b.id ? -1 : 1)
  }
}

/** The filter that the server takes: a text of up to 255 characters. */
const toServerFilter = (filter: TextFilter = '') => filter instanceof RegExp || filter.length > 255 ? undefined : filter || undefined
