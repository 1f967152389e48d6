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

/** The members that are times, by event. */
const times: Record<WebhookEvent, readonly string[]> = {
  'email.received': ['receivedAt'],
  'email.deleted': [],
  'address.created': ['expiresAt'],
  'address.expired': ['expiresAt'],
  'address.deleted': ['expiresAt'],
}

/**
 * @returns undefined for an event that this version does not know
 * @throws MayflyError when it is not an event of Mayfly
 */
export function toEvent(text: string, lastEventId: string): MayflyEvent | undefined {
  const event = readJson(text) as WrittenEvent
  if (!Object.hasOwn(times, event.type)) return undefined
  return { ...readTimes(event), lastEventId } as unknown as MayflyEvent
}

/** An event as JSON has it. */
interface WrittenEvent { type: string, createdAt: string, data: Record<string, unknown> }

/** The same event, with `Date`s. */
export function readTimes(event: WrittenEvent): { createdAt: Date, data: Record<string, unknown> } {
  const data = { ...event.data }
  const names = Object.hasOwn(times, event.type) ? times[event.type as WebhookEvent] : []
  for (const name of names) data[name] = new Date(data[name] as string)
  return { ...event, createdAt: new Date(event.createdAt), data }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new MayflyError('The stream of events holds something that is not an event', { cause: error })
  }
}
