import type { Delivery } from './use-deliveries.ts'

/**
 * The headers of the request of an attempt, one a line, without its signatures, which are not kept. A test compares them with those of a
 * delivery.
 */
export function requestHeaders({ id, eventId, event, sentAt, requestBody }: Delivery): string {
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Mayfly',
    'X-Service-Timestamp': timestampIn(requestBody),
    'X-Service-Event': event,
    'X-Service-Delivery-ID': id,
    'webhook-id': eventId,
    'webhook-timestamp': sentAt && Math.floor(sentAt.getTime() / 1_000),
  }
  return Object.entries(headers).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}`).join('\n')
}

/** The time of the event, which stands before its data: a body that was cut has it too. */
const timestampIn = (body: string) => /"timestamp":(\d+)/.exec(body)?.[1] ?? null
