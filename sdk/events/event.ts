import { withDates } from '../core/dates.ts'
import { MayflyError } from '../core/errors.ts'
import type { WebhookEvent } from '../generated/types.gen.ts'
import type { WebhookPayload } from '../webhooks/payload.ts'

/** A change in the account; `type` names its kind. */
export type MayflyEvent = WebhookPayload & {
  /** The `lastEventId` with which `events.subscribe` continues after this event. */
  lastEventId: string
}

const knownTypes: readonly WebhookEvent[] = ['email.received', 'email.deleted', 'address.created', 'address.expired', 'address.deleted']

/**
 * @returns undefined for an event type that this version does not know
 * @throws MayflyError when it is not an event of Mayfly
 */
export function readEvent(text: string, lastEventId: string): MayflyEvent | undefined {
  try {
    const event = withDates(JSON.parse(text) as MayflyEvent)
    return knownTypes.includes(event.type) ? { ...event, lastEventId } : undefined
  } catch {
    // without its cause, whose message repeats a part of the text
    throw new MayflyError('The stream has a message that is not an event of Mayfly')
  }
}
