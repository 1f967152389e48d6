import type { Delivery } from './use-deliveries.ts'

/** The headers of the request of an attempt, one a line, without its signatures, which are not kept. A test compares them with a delivery. */
export function requestHeaders({ id, eventId, event, sentAt, requestBody }: Delivery): string {
  const { timestamp } = JSON.parse(requestBody) as { timestamp: number }
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Mayfly',
    'X-Service-Timestamp': timestamp,
    'X-Service-Event': event,
    'X-Service-Delivery-ID': id,
    'webhook-id': eventId,
    ...sentAt && { 'webhook-timestamp': Math.floor(sentAt.getTime() / 1_000) },
  }
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`).join('\n')
}
