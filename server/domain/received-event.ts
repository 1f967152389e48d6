import type { OutboxEvent } from '../store/events/outbox.ts'

/** A cache: many waits read the same event. */
const received = new WeakMap<OutboxEvent, { emailId: string, addressId: string } | null>()

/** The mail whose arrival an event tells; null for other events. */
export function receivedIn(event: OutboxEvent): { emailId: string, addressId: string } | null {
  let known = received.get(event)
  if (known === undefined) {
    known = event.event === 'email.received' ? JSON.parse(event.data) as { emailId: string, addressId: string } : null
    received.set(event, known)
  }
  return known
}
