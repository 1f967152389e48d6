import { withDates } from '../core/dates.ts'
import type {
  AddressCreatedEvent, AddressDeletedEvent, AddressExpiredEvent, EmailDeletedEvent, EmailReceivedEvent,
} from '../generated/types.gen.ts'
import { WebhookVerificationError } from './error.ts'

/** The body of a delivery; `type` names the kind of event. Its `id` is the same in every attempt. */
export type WebhookPayload =
  EmailReceivedEvent | EmailDeletedEvent | AddressCreatedEvent | AddressExpiredEvent | AddressDeletedEvent

/**
 * Reads a body whose signature is valid. An event type of a newer server, which this version does not know, is returned too.
 * @throws WebhookVerificationError when the body is not an event, or is nested too deeply
 */
export function readPayload(body: Uint8Array): WebhookPayload {
  let payload: unknown
  try {
    payload = JSON.parse(new TextDecoder().decode(body))
  } catch (error) {
    throw new WebhookVerificationError('The body is signed, but it is not JSON', { cause: error })
  }
  const { type, createdAt, data } = (payload ?? {}) as Record<string, unknown>
  if (typeof type !== 'string' || typeof createdAt !== 'string' || Object(data) !== data) throw foreign()
  try {
    return withDates(payload) as WebhookPayload
  } catch (cause) {
    throw foreign(cause)
  }
}

const foreign = (cause?: unknown) => new WebhookVerificationError('The body is signed, but it is not an event of Mayfly', { cause })
