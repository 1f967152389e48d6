import { withDates } from '../core/dates.ts'
import { MayflyError } from '../core/errors.ts'
import { unknownName } from '../core/unknown-names.ts'
import type { WebhookEvent } from '../generated/types.gen.ts'
import type { WebhookPayload } from '../webhooks/payload.ts'

/** A change in the account; `type` names its kind. */
export type MayflyEvent = WebhookPayload & {
  /** The `lastEventId` with which `events.subscribe` continues after this event. */
  lastEventId: string
}

const knownTypes: readonly string[] = Object.keys({
  'email.received': true, 'email.deleted': true, 'address.created': true, 'address.expired': true, 'address.deleted': true,
} satisfies Record<WebhookEvent, true>)

/** Checks the types that a subscription asks for. @throws MayflyError unless it is a list of types that this version knows */
export function checkTypes(types: readonly string[]): void {
  if (!Array.isArray(types)) throw new MayflyError("events.subscribe: events is a list of types, such as ['email.received']")
  for (const type of types) if (!knownTypes.includes(type)) throw unknownName(String(type), knownTypes, 'events.subscribe: unknown event', true)
}

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
