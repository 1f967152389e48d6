import { withDates } from '../core/dates.ts'
import type {
  AddressCreatedEvent, AddressDeletedEvent, AddressExpiredEvent, EmailDeletedEvent, EmailReceivedEvent,
} from '../generated/types.gen.ts'
import { WebhookVerificationError } from './error.ts'
import { headersMissing } from './headers.ts'
import type { Claim } from './headers.ts'
import { digestOf } from './signature.ts'

/**
 * The event of a delivery; `type` names its kind. Its `id` is the same in every attempt: of a delivery of form A, whose body has none, it
 * is the SHA-256 of the body.
 */
export type WebhookPayload =
  EmailReceivedEvent | EmailDeletedEvent | AddressCreatedEvent | AddressExpiredEvent | AddressDeletedEvent

/**
 * Reads a body whose signature is valid, of each form and dialect, into the primary one. An event type of a newer server, which this
 * version does not know, is returned too.
 * @throws WebhookVerificationError when the body is not an event, is nested too deeply, or its headers lack a time, or the signature of
 * one, that deliveries of its form have
 */
export async function readPayload(body: Uint8Array, { form, timestamp }: Pick<Claim, 'form' | 'timestamp'>): Promise<WebhookPayload> {
  let payload: unknown
  try {
    payload = JSON.parse(new TextDecoder().decode(body))
  } catch (error) {
    throw new WebhookVerificationError('The body is signed, but it is not JSON', { cause: error })
  }
  const members = (payload ?? {}) as Record<string, unknown>
  // without its signed time, anyone could give an old delivery a new one
  const needsStandard = members['type'] !== undefined && members['event'] !== undefined
  if (form === 'service' && (needsStandard || timestamp === undefined && members['timestamp'] !== undefined)) throw headersMissing()
  try {
    const event = members['type'] === undefined ? toForms(members, await digestOf(body)) : members
    const { type, createdAt, data } = event
    if (typeof type === 'string' && typeof createdAt === 'string' && Object(data) === data) {
      const complete = { event: type, timestamp: Date.parse(createdAt), ...event, data: primaryData(type, data as object) }
      return withDates(complete) as unknown as WebhookPayload
    }
  } catch (cause) {
    throw foreign(cause)
  }
  throw foreign()
}

/** Adds the members of form B to those of form A. @throws RangeError for a time that is none */
const toForms = ({ event, timestamp, ...others }: Record<string, unknown>, id: string): Record<string, unknown> =>
  ({ id, type: event, event, createdAt: new Date(typeof timestamp === 'number' ? timestamp : NaN).toISOString(), timestamp, ...others })

/** In the classic dialect, the address of an event is named `email`, and ids have a prefix. */
function primaryData(type: string, data: { email?: unknown }): object {
  const { email, ...others } = data
  const named = type.startsWith('address.') && email !== undefined ? { address: email, ...others } : data
  return Object.fromEntries(Object.entries(named).map(([name, value]: [string, unknown]) =>
    [name, name.endsWith('Id') && typeof value === 'string' ? value.replace(/^(?:addr|email)_/, '') : value]))
}

const foreign = (cause?: unknown) => new WebhookVerificationError('The body is signed, but it is not an event of Mayfly', { cause })
