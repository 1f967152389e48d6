import type { WebhookDelivery } from '@mayfly-mail/sdk'

/** After as many failed attempts in a row for one event, the server disables a webhook. */
export const maxAttempts = 5

/** `retrying` has failed and is tried again; `pending` was not tried yet. */
export type EventState = 'succeeded' | 'failed' | 'retrying' | 'pending'

/** The attempts to deliver one event, the newest first. */
export interface EventDeliveries {
  eventId: string
  /** The subject of its mail, or its address; the type of the event without them. */
  title: string
  attempts: WebhookDelivery[]
  state: EventState
}

/** @param deliveries newest first @returns an entry for each event, that with the newest attempt first */
export function groupByEvent(deliveries: readonly WebhookDelivery[]): EventDeliveries[] {
  return [...Map.groupBy(deliveries, ({ eventId }) => eventId)].map(([eventId, attempts]) =>
    ({ eventId, title: titleOf(attempts[0]!), attempts, state: stateOf(attempts) }))
}

function stateOf([newest, ...earlier]: WebhookDelivery[]): EventState {
  if (newest!.status !== 'pending') return newest!.status === 'succeeded' ? 'succeeded' : 'failed'
  return earlier.some(({ status }) => status === 'failed') ? 'retrying' : 'pending'
}

function titleOf({ event, requestBody }: WebhookDelivery): string {
  try {
    const { data } = JSON.parse(requestBody) as { data?: { subject?: string, address?: string, email?: string } }
    return data?.subject || data?.address || data?.email || event
  } catch {
    return event // the beginning of a long body
  }
}

/** How the newest attempts of a webhook ended. */
export interface Health {
  made: number
  succeeded: number
  /** When the first of the failures was sent, since which none has succeeded; null after a success, and before the first attempt. */
  failingSince: Date | null
  /** Failed attempts for one event after which the webhook is disabled; undefined while none fails. */
  attemptsLeft: number | undefined
}

/** @param deliveries newest first */
export function healthOf(deliveries: readonly WebhookDelivery[]): Health {
  const made = deliveries.filter(({ sentAt }) => sentAt !== null)
  const lastSuccess = made.findIndex(({ status }) => status === 'succeeded')
  const failures = lastSuccess < 0 ? made : made.slice(0, lastSuccess)
  const most = Math.max(...groupByEvent(deliveries).filter(({ state }) => state === 'retrying')
    .map(({ attempts }) => attempts[0]!.attempt - 1))
  return {
    made: made.length,
    succeeded: made.filter(({ status }) => status === 'succeeded').length,
    failingSince: failures.at(-1)?.sentAt ?? null,
    attemptsLeft: failures.length > 0 && most > 0 ? maxAttempts - most : undefined,
  }
}
