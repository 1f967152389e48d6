import { clock } from '../core/clock.ts'
import { attemptTimeoutMs, maxBytes } from '../core/connection.ts'
import type { CallOptions } from '../core/connection.ts'
import { NotFoundError, RateLimitError, TimeoutError, UnexpectedAnswerError } from '../core/errors.ts'
import { firstIdAt } from '../core/ids.ts'
import { toList } from '../core/pages.ts'
import { backoff, isTransient, sleep, within } from '../core/retry.ts'
import type { Email, EmailSummary } from '../generated/types.gen.ts'
import type { EmailListQuery, EmailPage } from '../resources/email-list.ts'
import { getEmail, listEmails, waitForEmail } from '../resources/email-requests.ts'
import { checkOptions } from './check.ts'
import { describeTimeout, isTruncated, matches, wholeAddress } from './match.ts'
import type { TextFilter } from './options.ts'
import { wantedPart } from './parts.ts'
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
  /** All mail up to this cursor was listed. */
  let listed: string | undefined
  /** Whole emails that do not match, and those of them that lack the wanted part alone. */
  const refused = new Set<string>()
  const lacking = new Set<string>()
  /** The error of an email that could not be read, or of the last list. */
  let failure: Error | undefined
  let hasMatchThrown = false

  try {
    // the server matches text in sender and subject, and whole recipients: for other filters the backlog is listed, in place of one request
    // for each email
    const isListed = from instanceof RegExp || subject instanceof RegExp || to !== wholeAddress(to) || body !== undefined
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
    start ??= await startNow()
    const checked = new Set(start.except)
    let cursor = listed ?? (start.after || firstIdAt(0))
    for (let repeats = 0; elapsed() < endMs;) {
      const requestedMs = elapsed()
      const timeout = Math.min(maxWaitSeconds, Math.ceil((endMs - requestedMs) / 1000))
      const { email, cursor: next } = await waitForEmail(
        connection,
        { addressId, after: cursor, from: toServerFilter(from), to: wholeAddress(to), subject: toServerFilter(subject), timeout },
        remaining(timeout * 1000 + connection.timeoutMs),
      ).catch(passOver)
      if (!next) throw failure
      repeats = next === cursor ? repeats + 1 : 0
      cursor = next
      if (email && !checked.has(email.id)) {
        checked.add(email.id)
        if (!await isAwaited(email)) continue
        seen.add(email)
        return email
      }
      // nothing came, although the server may have answered at once
      if (repeats > 0) await sleep(Math.min(endMs - elapsed(), backoff(repeats) - (elapsed() - requestedMs)), signal)
    }
  }

  /**
   * Skips an email whose answer is invalid or longer than `maxBytes`: otherwise one such email would end all waits at its address.
   * @returns the cursor of the answer to a wait: null where the server has not sent it
   * @throws any other error
   */
  function passOver(error: unknown): { email?: undefined, cursor: string | null } {
    if (hasMatchThrown || !(error instanceof UnexpectedAnswerError)) throw error
    failure = error
    return { cursor: error.headers.get('x-mayfly-cursor') }
  }

  /** Lists the mail from `start` on and returns the oldest match. */
  async function findListed(): Promise<Email | undefined> {
    const { after, except } = start!
    const list = await listSince(after)
    listed = list?.cursor
    arrived = list?.emails.filter(({ id }) => !except.has(id))
    const candidates = arrived?.filter((item) => !refused.has(item.id) && (isTruncated(item, options) || matches(item, options)))
    for (const { id } of candidates ?? []) {
      try {
        const email = await getEmail(connection, id, remaining())
        if (!await isAwaited(email)) continue
        seen.add(email)
        return email
      } catch (error) {
        if (hasMatchThrown || !(error instanceof NotFoundError)) passOver(error) // else deleted since the list was made
      }
    }
  }

  /** After the time-out: lists the mail once more, and reports what did not match. */
  async function findAtEnd(): Promise<Email> {
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

  /** The time of the call, or a little before. */
  async function startNow(): Promise<Start> {
    const { serverTime } = await listEmails(connection, { addressId, type: 'received', limit: 1 }, remaining(), (body) =>
      Number.isFinite(body.serverTime?.getTime?.()) ? body as never : undefined)
    return { after: firstIdAt(serverTime.getTime() - elapsed()), except: called.except }
  }

  /** All mail after a position, oldest first, and the cursor from which later mail follows; undefined for more than `maxListed` emails. */
  async function listSince(after: string): Promise<{ emails: EmailSummary[], cursor: string } | undefined> {
    const emails: EmailSummary[] = []
    const query: EmailListQuery = { addressId, type: 'received', after: after || undefined, limit: 100 }
    const list = toList<EmailPage, EmailListQuery, EmailSummary>(query, (part) =>
      listEmails(connection, part, { ...remaining(), [maxBytes]: maxPageBytes }))
    for await (const email of list) if (emails.push(email) > maxListed) return undefined
    return { emails: emails.sort((a, b) => a.id < b.id ? -1 : 1), cursor: (await list).cursor }
  }
}

/** The filter that the server takes: a text of up to 255 characters. */
const toServerFilter = (filter: TextFilter = '') => filter instanceof RegExp || filter.length > 255 ? undefined : filter || undefined
