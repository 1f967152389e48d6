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
export async function waitForEmail(app: App, caller: Caller, input: EmailWaitInput, ends: WaitEnds): Promise<Waited> {
  return new EmailWait(app, caller, input, ends).run()
}

class EmailWait {
  readonly #app: App
  readonly #caller: Caller
  readonly #input: EmailWaitInput
  readonly #ends: WaitEnds
  readonly #position: WaitPosition
  readonly #matches: (arrival: ArrivedEmail) => boolean
  /** Events of the feed that were not compared. */
  #unseen: OutboxEvent[] = []
  /** The number of the event up to which the feed was compared. */
  #comparedUpTo = 0
  /** Whether the caller is to be checked again. */
  #isCheckDue = false
  /** Whether the time is over, or the caller gone. */
  #isOver: boolean
  /** Continues the wait, while it waits for events. */
  #wake = () => {}

  constructor(app: App, caller: Caller, input: EmailWaitInput, ends: WaitEnds) {
    this.#app = app
    this.#caller = caller
    this.#input = input
    this.#ends = ends
    this.#position = toPosition(input.after ?? '')
    this.#matches = matcher(input)
    this.#isOver = ends.gone.aborted || ends.timeoutMs <= 0
  }

  async run(): Promise<Waited> {
    const following = await this.#app.feed.follow(this.#caller, 'emails.wait', (events) => {
      this.#unseen.push(...events)
      this.#wake()
    })
    this.#comparedUpTo = following.from
    const deadline = openDeadline({ timeoutMs: this.#ends.timeoutMs, signal: this.#ends.gone })
    onAbort(deadline.signal, () => {
      this.#isOver = true
      this.#wake()
    })
    const stopChecks = atEachCheck(this.#app, () => {
      this.#isCheckDue = true
      this.#wake()
    })
    try {
      return await this.#find()
    } finally {
      deadline.end()
      stopChecks()
      following.stop()
    }
  }

  async #find(): Promise<Waited> {
    const { after, addressId } = this.#input
    let found = after === undefined ? undefined : await this.#findStored()
    for (;;) {
      if (this.#isCheckDue) await this.#checkCaller()
      found ??= await this.#findInFeed()
      if (found || this.#isOver) {
        // before the last read of the feed, which may find an email that arrived earlier and was published later
        const cursor = await cursorNow(this.#app, addressId)
        await this.#app.feed.caughtUp()
        const other = await this.#findInFeed()
        found = found && other ? earlier(found, other) : found ?? other
        if (found || this.#isOver) return { id: found?.id, cursor: await this.#cursorAfter(found, cursor) }
      } else if (this.#unseen.length === 0 && !this.#isCheckDue) {
        await new Promise<void>((resolve) => { this.#wake = resolve })
      }
    }
  }

  /** The first matching email that is stored already. */
  async #findStored(): Promise<FoundEmail | undefined> {
    const { db, feed } = this.#app
    const caller = this.#caller
    let wasCompared: ((emailId: string) => boolean) | undefined
    for (let { after } = this.#position; ;) {
      const { found, last } = await feed.inTurn(caller.accountId, async () => {
        const arrivals = await listArrivedEmails(db, caller, { addressId: this.#input.addressId, after, limit: maxEmailsPerRead })
        if (arrivals.length > 0) wasCompared ??= await comparedAt(db, caller, this.#position)
        const found = arrivals.find((arrival) => !wasCompared!(arrival.id) && this.#matches(arrival))
        return { found, last: arrivals.length < maxEmailsPerRead ? undefined : arrivals.at(-1)!.id }
      })
      if (found || !last || this.#ends.gone.aborted) return found && { id: found.id }
      after = last
    }
  }

  async #checkCaller() {
    this.#isCheckDue = false
    await this.#ends.reauthorize().catch((error: unknown) => {
      if (error instanceof AppError) throw error // any other is that of a database, which is asked again
    })
  }

  async #findInFeed() {
    const { addressId } = this.#input
    const events = this.#unseen
    this.#unseen = []
    let first: FoundEmail | undefined
    for (const event of events) {
      const received = receivedIn(event)
      if (!received || received.emailId <= this.#position.after || addressId !== undefined && received.addressId !== addressId) continue
      const arrival = await arrivalOf(this.#app.db, event, received.emailId)
      if (!arrival || !this.#matches(arrival)) continue
      const found = { id: arrival.id, seq: event.seq }
      first = first ? earlier(first, found) : found
    }
    this.#comparedUpTo = events.at(-1)?.seq ?? this.#comparedUpTo
    return first
  }

  /** @param now the cursor for the present, which may be before the email */
  async #cursorAfter(found: FoundEmail | undefined, now: string): Promise<string> {
    const { db, clock } = this.#app
    const comparedUpTo = this.#comparedUpTo
    const least = found && found.id < now ? found.id : now
    const cursor = atLeast(this.#input.after ?? '', least)
    const isExact = least === found?.id || !clock.isShared || !found && cursor !== least
    if (isExact) return cursor
    const seq = found && (found.seq ?? (await readPublished(db, this.#caller, comparedUpTo)).get(found.id))
    return found && seq === undefined ? cursor : toCursor({ after: atLeast(this.#position.after, least), comparedUpTo, found: seq })
  }
}

interface FoundEmail {
  id: string
  /** The number of its event; undefined when it was there before the wait. */
  seq?: number
}

/** Maximum emails per read. */
const maxEmailsPerRead = 200

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
