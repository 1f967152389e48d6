import type { Delivery } from './use-deliveries.ts'

/**
 * The headers of the request of an attempt, one a line, without its signatures, which are not kept. A test compares them with those of a
 * delivery. They follow from the form of the body, as on the server.
 */
export function requestHeaders({ id, eventId, event, sentAt, requestBody }: Delivery): string {
  const head = requestBody.slice(0, requestBody.indexOf('"data":')) // of a body that was cut too
  const [isA, isB] = [head.includes('"event":'), head.includes('"type":')]
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Mayfly',
    ...isA && { 'X-Service-Timestamp': sentAt && sentAt.getTime() },
    ...isB && { 'X-Service-Event': event, 'X-Service-Delivery-ID': id },
    ...isA && isB && { 'webhook-id': eventId, 'webhook-timestamp': sentAt && Math.floor(sentAt.getTime() / 1_000) },
  }
  return Object.entries(headers).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}`).join('\n')
}
