import type { App, Caller } from '../context.ts'
import { onAbort, openDeadline } from '../deadline.ts'
import { AppError } from '../errors.ts'
import type { Database } from '../store/database.ts'
import type { OutboxEvent } from '../store/events/outbox.ts'
import { findArrivedEmail, listArrivedEmails } from '../store/mail/arrivals.ts'
import type { ArrivedEmail } from '../store/mail/arrivals.ts'
import { cursorNow } from './arriving.ts'
import { atEachCheck } from './event-stream.ts'
import { comparedAt, readPublished, receivedIn, toCursor, toPosition } from './wait-position.ts'
import type { WaitPosition } from './wait-position.ts'

export interface EmailWaitInput {
  addressId?: string
  /** The id of an email, or a cursor: only mail that arrived later is returned. Without it, only mail that is published after the call. */
  after?: string
  /** Text in the sender's address or name, in any case. */
  from?: string
  /** Text in the subject, in any case. */
  subject?: string
}

/** The ends of a wait before an email matches. */
interface WaitEnds {
  /** Milliseconds of real time. */
  timeoutMs: number
  gone: AbortSignal
  /** @throws AppError when the caller may wait no more */
  reauthorize(): Promise<void>
}

export interface Waited {
  /** The first matching email in the order of arrival; undefined after the timeout. */
  id: string | undefined
  /** An id, or the text of a position: all emails up to it are published, and none of them matches, except `id`. */
  cursor: string
}

/**
 * Waits for a received email. Commits wake it; each email is compared once.
 * @throws AppError `RATE_LIMITED` when too many wait already; the error of `reauthorize`
 */
export async function waitForEmail(
  app: App, caller: Caller, input: EmailWaitInput, { timeoutMs, gone, reauthorize }: WaitEnds,
): Promise<Waited> {
  const { addressId } = input
  const position = toPosition(input.after ?? '')
  const { after } = position
  const matches = matcher(input)
  let unseen: OutboxEvent[] = []
  let isOver = gone.aborted || timeoutMs <= 0
  let wake = () => {}
  const end = () => {
    isOver = true
    wake()
  }
  const following = await app.feed.follow(caller, 'emails.wait', (events) => {
    unseen.push(...events)
    wake()
  })
  let comparedUpTo = following.from
  const deadline = openDeadline({ timeoutMs, signal: gone })
  onAbort(deadline.signal, end)
  let isCheckDue = false
  const stopChecks = atEachCheck(app, () => {
    isCheckDue = true
    wake()
  })
  try {
    let found = input.after === undefined ? undefined : await firstOf(app, caller, { addressId, position, matches }, () => gone.aborted)
    for (;;) {
      if (isCheckDue) {
        isCheckDue = false
        await reauthorize().catch((error: unknown) => {
          if (error instanceof AppError) throw error // any other is that of a database, which is asked again
        })
      }
      found ??= await findInFeed()
      if (found || isOver) {
        // before the last read of the feed, which may find an email that arrived earlier and was published later
        const cursor = await cursorNow(app, addressId)
        await app.feed.caughtUp()
        const other = await findInFeed()
        found = found && other ? earlier(found, other) : found ?? other
        if (found || isOver) return { id: found?.id, cursor: await cursorAfter(found, cursor) }
      } else if (unseen.length === 0 && !isCheckDue) {
        await new Promise<void>((resolve) => { wake = resolve })
      }
    }
  } finally {
    deadline.end()
    stopChecks()
    following.stop()
  }

  async function findInFeed() {
    const events = unseen
    unseen = []
    let first: FoundEmail | undefined
    for (const event of events) {
      const received = receivedIn(event)
      if (!received || received.emailId <= after || addressId !== undefined && received.addressId !== addressId) continue
      const arrival = await arrivalOf(app.db, event, received.emailId)
      if (!arrival || !matches(arrival)) continue
      const found = { id: arrival.id, seq: event.seq }
      first = first ? earlier(first, found) : found
    }
    comparedUpTo = events.at(-1)?.seq ?? comparedUpTo
    return first
  }

  /** @param now the cursor for the present, which may be before the email */
  async function cursorAfter(found: FoundEmail | undefined, now: string): Promise<string> {
    const least = found && found.id < now ? found.id : now
    const cursor = atLeast(input.after ?? '', least)
    const isExact = least === found?.id || !app.clock.isShared || !found && cursor !== least
    if (isExact) return cursor
    const seq = found && (found.seq ?? (await readPublished(app.db, caller, comparedUpTo)).get(found.id))
    return found && seq === undefined ? cursor : toCursor({ after: atLeast(after, least), comparedUpTo, found: seq })
  }
}

interface FoundEmail {
  id: string
  /** The number of its event; undefined when it was there before the wait. */
  seq?: number
}

/** Maximum emails per read. */
const maxEmailsPerRead = 200

/** The first matching email that is stored already. */
async function firstOf(
  app: App, caller: Caller,
  input: { addressId?: string, position: WaitPosition, matches: (arrival: ArrivedEmail) => boolean }, isOver: () => boolean,
): Promise<FoundEmail | undefined> {
  let wasCompared: ((emailId: string) => boolean) | undefined
  for (let { after } = input.position; ;) {
    const { found, last } = await app.feed.inTurn(caller.accountId, async () => {
      const arrivals = await listArrivedEmails(app.db, caller, { addressId: input.addressId, after, limit: maxEmailsPerRead })
      if (arrivals.length > 0) wasCompared ??= await comparedAt(app.db, caller, input.position)
      const found = arrivals.find((arrival) => !wasCompared!(arrival.id) && input.matches(arrival))
      return { found, last: arrivals.length < maxEmailsPerRead ? undefined : arrivals.at(-1)!.id }
    })
    if (found || !last || isOver()) return found && { id: found.id }
    after = last
  }
}

function matcher({ from = '', subject = '' }: EmailWaitInput): (arrival: ArrivedEmail) => boolean {
  const [wantedFrom, wantedSubject] = [from.toLowerCase(), subject.toLowerCase()]
  return (arrival) => arrival.subject.toLowerCase().includes(wantedSubject)
    && (arrival.from.toLowerCase().includes(wantedFrom) || arrival.fromName.toLowerCase().includes(wantedFrom))
}

const earlier = (a: FoundEmail, b: FoundEmail) => a.id < b.id ? a : b
const atLeast = (a: string, b: string) => a > b ? a : b

/** A cache: many waits read the same event. */
const arrivals = new WeakMap<OutboxEvent, Promise<ArrivedEmail | undefined>>()

function arrivalOf(db: Database, event: OutboxEvent, emailId: string) {
  const known = arrivals.get(event) ?? findArrivedEmail(db, emailId)
  arrivals.set(event, known)
  return known
}
