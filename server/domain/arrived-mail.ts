import { comparedAddress, filtersOf } from '../mailbox.ts'
import type { Database } from '../store/database.ts'
import type { OutboxEvent } from '../store/events/outbox.ts'
import { findArrivedEmails } from '../store/mail/arrivals.ts'
import type { ArrivedEmail } from '../store/mail/arrivals.ts'

/** Filters of the envelope of an email: whole addresses, or `*@domain`. */
export interface EnvelopeFilters {
  to?: string | undefined
  envelopeFrom?: string | undefined
}

/** Compares the envelope of an email with filters. @returns undefined without a filter */
export function envelopeMatcher({ to, envelopeFrom }: EnvelopeFilters): ((arrival: ArrivedEmail) => boolean) | undefined {
  if (to === undefined && envelopeFrom === undefined) return undefined
  const [wantedTo, wantedFrom] = [to, envelopeFrom].map((filter) => filter === undefined ? undefined : comparedAddress(filter))
  return (arrival) => {
    const { recipients, sender } = filtersFor(arrival)
    return (wantedTo === undefined || recipients.has(wantedTo)) && (wantedFrom === undefined || sender.has(wantedFrom))
  }
}

/** A cache: many waits compare the same email. */
const envelopes = new WeakMap<ArrivedEmail, { recipients: Set<string>, sender: Set<string> }>()

/** The filters that select an email by its envelope. */
function filtersFor(arrival: ArrivedEmail) {
  let known = envelopes.get(arrival)
  if (!known) {
    const { sender, recipients } = arrival.readEnvelope()
    known = { recipients: new Set(recipients.flatMap(filtersOf)), sender: new Set(filtersOf(sender)) }
    envelopes.set(arrival, known)
  }
  return known
}

/** Finds the received mail whose arrival events tell. @returns undefined for each of another event, and for deleted mail */
export async function arrivalsIn(db: Database, events: OutboxEvent[]): Promise<(ArrivedEmail | undefined)[]> {
  const unknown = events.filter((event) => receivedIn(event) && !arrivals.has(event))
  if (unknown.length > 0) {
    const found = findArrivedEmails(db, unknown.map((event) => receivedIn(event)!.emailId))
      .then((emails) => new Map(emails.map((email) => [email.id, email])))
    for (const event of unknown) arrivals.set(event, found.then((byId) => byId.get(receivedIn(event)!.emailId)))
  }
  return Promise.all(events.map(async (event) => arrivals.get(event)))
}

/** A cache: many waits and streams read the same event. */
const arrivals = new WeakMap<OutboxEvent, Promise<ArrivedEmail | undefined>>()

/** The data of an event of the kind `email.received`. */
interface ReceivedData {
  emailId: string
  addressId: string
}

/** A cache: many waits and streams read the same event. */
const received = new WeakMap<OutboxEvent, ReceivedData | null>()

/** The email whose arrival an event tells; null for other events. */
export function receivedIn(event: OutboxEvent): ReceivedData | null {
  let known = received.get(event)
  if (known === undefined) {
    known = event.event === 'email.received' ? JSON.parse(event.data) as ReceivedData : null
    received.set(event, known)
  }
  return known
}
