import type { App, Caller } from '../context.ts'
import { openDeadline } from '../deadline.ts'
import { onAbort } from '../on-abort.ts'
import { findArrivedEmail, listArrivedEmails } from '../store/mail/arrived-emails.ts'
import type { ArrivedEmail } from '../store/mail/arrived-emails.ts'
import type { Database } from '../store/database.ts'
import type { OutboxEvent } from '../store/events/outbox.ts'
import { cursorNow } from './arriving.ts'

export interface EmailWaitInput {
  addressId?: string
  /** An id; only mail that arrived later. Omitted, what is shown from now on. */
  after?: string
  /** Text in the sender's address or name, in any case. */
  from?: string
  /** Text in the subject, in any case. */
  subject?: string
}

export interface Waited {
  /** The first matching email in the order of arrival; undefined after the timeout. */
  id: string | undefined
  /** An id: all emails up to it are published, and none of them matches, except `id`. */
  cursor: string
}

/**
 * Waits for a received email. Commits wake it; each email is compared once.
 * @param timeoutMs milliseconds of real time
 * @param gone ends the wait at once
 * @throws AppError `RATE_LIMITED` when too many wait already
 */
export async function waitForEmail(app: App, caller: Caller, input: EmailWaitInput, timeoutMs: number, gone: AbortSignal): Promise<Waited> {
  const { addressId, after = '' } = input
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
  const deadline = openDeadline({ timeoutMs, signal: gone })
  onAbort(deadline.signal, end)
  try {
    let found = input.after === undefined ? undefined : await firstOf(app, caller, { addressId, after, matches }, () => gone.aborted)
    for (;;) {
      found ??= await findInFeed()
      if (found || isOver) {
        // before the last read of the feed, which may find an email that arrived earlier and was published later
        const cursor = await cursorNow(app, addressId)
        await app.feed.caughtUp()
        const other = await findInFeed()
        found = found && other ? earlier(found, other) : found ?? other
        if (found || isOver) return { id: found, cursor: atLeast(after, found ? earlier(found, cursor) : cursor) }
      } else if (unseen.length === 0) {
        await new Promise<void>((resolve) => { wake = resolve })
      }
    }
  } finally {
    deadline.end()
    following.stop()
  }

  async function findInFeed() {
    const events = unseen
    unseen = []
    let first: string | undefined
    for (const event of events) {
      const arrived = arrivedIn(event)
      if (!arrived || arrived.emailId <= after || addressId !== undefined && arrived.addressId !== addressId) continue
      const arrival = await arrivalOf(app.db, event, arrived.emailId)
      if (arrival && matches(arrival)) first = first ? earlier(first, arrival.id) : arrival.id
    }
    return first
  }
}

/** Maximum emails per read. */
const maxEmailsPerRead = 200

/** The first matching email that is stored already. */
async function firstOf(
  app: App, caller: Caller,
  input: { addressId?: string, after: string, matches: (arrival: ArrivedEmail) => boolean }, isOver: () => boolean,
): Promise<string | undefined> {
  for (let { after } = input; ;) {
    const { found, last } = await app.feed.inTurn(caller.accountId, async () => {
      const arrivals = await listArrivedEmails(app.db, caller, { addressId: input.addressId, after, limit: maxEmailsPerRead })
      return { found: arrivals.find(input.matches), last: arrivals.length < maxEmailsPerRead ? undefined : arrivals.at(-1)!.id }
    })
    if (found || !last || isOver()) return found?.id
    after = last
  }
}

function matcher({ from = '', subject = '' }: EmailWaitInput): (arrival: ArrivedEmail) => boolean {
  const [wantedFrom, wantedSubject] = [from.toLowerCase(), subject.toLowerCase()]
  return (arrival) => arrival.subject.toLowerCase().includes(wantedSubject)
    && (arrival.from.toLowerCase().includes(wantedFrom) || arrival.fromName.toLowerCase().includes(wantedFrom))
}

const earlier = (a: string, b: string) => a < b ? a : b
const atLeast = (a: string, b: string) => a > b ? a : b

/** Caches: many waits read the same event. */
const arrived = new WeakMap<OutboxEvent, { emailId: string, addressId: string } | null>()
const arrivals = new WeakMap<OutboxEvent, Promise<ArrivedEmail | undefined>>()

function arrivedIn(event: OutboxEvent) {
  let known = arrived.get(event)
  if (known === undefined) {
    known = event.event === 'email.received' ? JSON.parse(event.data) as { emailId: string, addressId: string } : null
    arrived.set(event, known)
  }
  return known
}

function arrivalOf(db: Database, event: OutboxEvent, emailId: string) {
  const known = arrivals.get(event) ?? findArrivedEmail(db, emailId)
  arrivals.set(event, known)
  return known
}
