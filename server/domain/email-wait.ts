import { atIntervals } from '../clock.ts'
import type { App, Caller } from '../context.ts'
import { onAbort, openDeadline } from '../deadline.ts'
import { AppError } from '../errors.ts'
import { addressForms } from '../mailbox.ts'
import type { OutboxEvent } from '../store/events/outbox.ts'
import { arrivalsIn, envelopeMatcher, findArrivedEmails, listArrivedEmails, receivedIn } from '../store/mail/arrivals.ts'
import type { ArrivedEmail, EnvelopeFilters } from '../store/mail/arrivals.ts'
import type { Position } from '../store/page.ts'
import { cursorOf, positionOf } from './cursors.ts'
import { callerCheckIntervalMs } from './event-stream.ts'

export interface EmailWaitInput extends EnvelopeFilters {
  addressId?: string
  /** Only mail after it; without it, only mail that is published after the call. @see positionOf */
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
  /** The first email in the order of the commits that matches; undefined after the timeout. */
  id: string | undefined
  /** All mail up to it was compared, and none matches, except `id`. */
  cursor: string
}

/**
 * Waits for a received email. Commits wake it; each email is compared once: the mail that is there from the database, later mail as the
 * feed hands it over.
 * @throws AppError `RATE_LIMITED` when too many wait already; errors of `positionOf` and `reauthorize`
 */
export async function waitForEmail(app: App, caller: Caller, input: EmailWaitInput, ends: WaitEnds): Promise<Waited> {
  return new EmailWait(app, caller, input, ends).run()
}

class EmailWait {
  readonly #app: App
  readonly #caller: Caller
  readonly #input: EmailWaitInput
  readonly #ends: WaitEnds
  /** Undefined without a filter of the envelope. */
  readonly #isOfEnvelope: ReturnType<typeof envelopeMatcher>
  readonly #matches: (arrival: ArrivedEmail) => boolean
  /** Events of the feed that were not compared. */
  #unseen: OutboxEvent[] = []
  /** The number of the event up to which all mail was compared. */
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
    this.#isOfEnvelope = envelopeMatcher(input)
    const hasTexts = textMatcher(input)
    this.#matches = (arrival) => hasTexts(arrival) && (this.#isOfEnvelope?.(arrival) ?? true)
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
    const stopChecks = atIntervals(this.#app.clock, callerCheckIntervalMs, () => {
      this.#isCheckDue = true
      this.#wake()
    })
    try {
      const { after } = this.#input
      const position = after === undefined ? undefined : await positionOf(this.#app.db, this.#caller, following.from, after)
      const found = position && await this.#findStored(position) || await this.#findInFeed()
      return { id: found?.id, cursor: cursorOf(found?.seq ?? this.#comparedUpTo) }
    } finally {
      deadline.end()
      stopChecks()
      following.stop()
    }
  }

  /**
   * The first match in the order of the commits among the mail that was there when the feed began. It reads to the end, also for a caller
   * that is gone: the cursor of the answer is that of the feed.
   */
  async #findStored(position: Position): Promise<ArrivedEmail | undefined> {
    const { db, feed } = this.#app
    const caller = this.#caller
    const { addressId } = this.#input
    const range = { addressId, upTo: this.#comparedUpTo, limit: maxEmailsPerRead }
    let first: ArrivedEmail | undefined
    if (this.#isOfEnvelope) {
      const found = await this.#findIndexed(position)
      if (found) return found.filter(({ seq }) => seq <= range.upTo).sort((a, b) => a.seq - b.seq).find((arrival) => this.#matches(arrival))
    }
    for (let after: Position | undefined = position; after;) {
      const arrivals: ArrivedEmail[] = await feed.inTurn(caller.accountId, () => listArrivedEmails(db, caller, { ...range, after: after! }))
      for (const arrival of arrivals) if ((!first || arrival.seq < first.seq) && this.#matches(arrival)) first = arrival
      if ('seq' in position && first) return first
      const last = arrivals.length < maxEmailsPerRead ? undefined : arrivals.at(-1)!
      after = last && ('seq' in position ? { seq: last.seq } : { id: last.id })
    }
    return first
  }

  /**
   * Finds the mail with the addresses of the envelope that are waited for in the search index.
   * @returns undefined when that has too many of them, or not all mail: then the mail is compared one by one
   */
  async #findIndexed(after: Position): Promise<ArrivedEmail[] | undefined> {
    const { db, intake } = this.#app
    if (!await intake.isIndexed(this.#caller)) return undefined
    const { addressId, to, envelopeFrom } = this.#input
    const filter = { addressId, to, envelopeFrom, type: 'received', isDeleted: false, after, limit: maxEmailsFound, offset: 0, isCounted: false } as const
    const { ids, hasMore } = await intake.search(this.#caller, undefined, filter)
    if (hasMore) return undefined
    return findArrivedEmails(db, ids)
  }

  async #findInFeed(): Promise<ArrivedEmail | undefined> {
    for (;;) {
      if (this.#isCheckDue) await this.#checkCaller()
      const event = this.#unseen.shift()
      if (event) {
        const [arrival] = this.#isOfAddress(event) ? await arrivalsIn(this.#app.db, [event]) : []
        if (arrival && this.#matches(arrival)) return arrival
        this.#comparedUpTo = event.seq
      } else if (this.#isOver) {
        return undefined
      } else if (!this.#isCheckDue) {
        await new Promise<void>((resolve) => { this.#wake = resolve })
      }
    }
  }

  async #checkCaller() {
    this.#isCheckDue = false
    await this.#ends.reauthorize().catch((error: unknown) => {
      if (error instanceof AppError) throw error // any other is that of a database, which is asked again
    })
  }

  /** False for an event that tells no mail of the wait's address. */
  #isOfAddress(event: OutboxEvent): boolean {
    const { addressId } = this.#input
    return addressId === undefined || receivedIn(event)?.addressId === addressId
  }
}

/** Maximum emails per read. */
const maxEmailsPerRead = 200
/** Maximum emails that a wait takes from the search index. */
const maxEmailsFound = 20

function textMatcher({ from = '', subject = '' }: EmailWaitInput): (arrival: ArrivedEmail) => boolean {
  const [wantedFrom, wantedSubject] = [from.toLowerCase(), subject.toLowerCase()]
  return (arrival) => arrival.subject.toLowerCase().includes(wantedSubject)
    && [...addressForms(arrival.from), arrival.fromName.toLowerCase()].some((text) => text.includes(wantedFrom))
}
