import { randomUUID } from 'node:crypto'
import type { MayflyEvent, WebhookEvent } from '@mayfly-mail/sdk'
import { oneLine, paint, print } from '../output.ts'
import type { Client } from './as-client.ts'
import { newSecret } from './new-secret.ts'
import type { ClientOptions } from './options.ts'

export interface ListenOptions extends ClientOptions {
  forwardTo: string
  events?: WebhookEvent[]
  secret?: string
}

/** As long as the server waits for an answer. */
const timeoutMs = 15_000

interface Delivery {
  deliveryId: string
  eventId: string
  event: WebhookEvent
  /** HTTP status of the answer, null when there was none. */
  status: number | null
  durationMs: number
  error: string | null
}

/** Posts each event to a URL, one after the other and in their order, and prints what became of it. */
export async function forwardEvents(client: Client, options: ListenOptions): Promise<void> {
  const { forwardTo, events } = options
  const secret = options.secret ?? newSecret()
  const { webhooks } = await import('@mayfly-mail/sdk')
  await webhooks.sign({ type: 'email.deleted', data: { emailId: '', addressId: '' } }, secret) // one that cannot sign is told now
  client.onConnect(() => process.stderr.write(`Events go to ${forwardTo} until Ctrl-C, signed with ${secret}\n`))
  for await (const event of client.mayfly.events.subscribe({ events, signal: client.signal })) {
    print(options, await deliver(event), show)
  }
  client.signal.throwIfAborted()

  async function deliver(event: MayflyEvent): Promise<Delivery> {
    const deliveryId = randomUUID()
    const { body, headers } = await webhooks.sign(event, secret, { deliveryId })
    const since = performance.now()
    const answer = await post(forwardTo, { body, headers }, client.signal)
    return { deliveryId, eventId: event.id, event: event.type, ...answer, durationMs: Math.round(performance.now() - since) }
  }
}

async function post(
  url: string, message: { body: string, headers: Record<string, string> }, signal: AbortSignal,
): Promise<Pick<Delivery, 'status' | 'error'>> {
  try {
    const response = await fetch(url, {
      method: 'POST', ...message, redirect: 'manual', signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    return { status: response.status, error: response.ok ? null : `it answered ${response.status}` }
  } catch (error) {
    signal.throwIfAborted()
    const { name, message, cause } = error as Error & { cause?: { code?: string, message?: string } }
    return { status: null, error: name === 'TimeoutError' ? `no answer within ${timeoutMs / 1000} s` : oneLine(cause?.code ?? cause?.message ?? message) }
  }
}

const show = ({ event, eventId, status, durationMs, error }: Delivery) =>
  `${new Date().toISOString()}  ${event}  ${eventId}  → ${paint(error ? 'red' : 'green', status === null ? 'failed' : String(status))} in ${durationMs} ms`
  + (status === null ? `: ${error}` : '')
