import { withDates } from '../dates.ts'
import { MayflyError } from '../errors.ts'
import type {
  AddressCreatedEvent, AddressDeletedEvent, AddressExpiredEvent, EmailDeletedEvent, EmailReceivedEvent, WebhookEvent,
} from '../generated/types.gen.ts'

/** Something that happened in the account; `type` says what. */
export type MayflyEvent = (
  EmailReceivedEvent | EmailDeletedEvent | AddressCreatedEvent | AddressExpiredEvent | AddressDeletedEvent
) & {
  /** Give it to `events.subscribe` to go on after this event. */
  lastEventId: string
}

const known: readonly WebhookEvent[] = ['email.received', 'email.deleted', 'address.created', 'address.expired', 'address.deleted']

/**
 * @returns undefined for an event that this version does not know
 * @throws MayflyError when it is not an event of Mayfly
 */
export function toEvent(text: string, lastEventId: string): MayflyEvent | undefined {
  try {
    const event = withDates(JSON.parse(text) as MayflyEvent)
    return known.includes(event.type) ? { ...event, lastEventId } : undefined
  } catch {
    // without its cause, which repeats a part of the text
    throw new MayflyError('The stream holds what is not an event of Mayfly')
  }
}
