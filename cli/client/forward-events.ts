import { randomUUID } from 'node:crypto'
import type { MayflyEvent, WebhookEvent } from '@mayfly-mail/sdk'
import { line, oneLine, paint, print, say } from '../output.ts'
import type { Client } from './as-client.ts'
import { newSecret } from './new-secret.ts'
import type { ClientOptions } from './options.ts'

export interface ListenOptions extends ClientOptions {
  forwardTo: string
  events?: WebhookEvent[]
  secret?: string
}

/** As on the server. */
const timeoutMs = 15_000

interface Delivery {
  deliveryId: string
  eventId: string
  event: WebhookEvent
  /** HTTP status of the answer, null without an answer. */
  status: number | null
  durationMs: number
  error: string | null
}

/** Posts the events to a URL, one after another in their order, and prints the results. */
export async function forwardEvents(client: Client, options: ListenOptions): Promise<void> {
  const { forwardTo, events } = options
  const secret = options.secret ?? newSecret()
  const { webhooks } = await import('@mayfly-mail/sdk')
  await webhooks.sign({ type: 'email.deleted', data: { emailId: '', addressId: '' } }, secret) // a malformed secret fails here, before the first event
  client.onConnect(() => say(line`Events go to ${forwardTo} until Ctrl-C, signed with ${secret}`))
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
  // not AbortSignal.any: each of its signals would be kept as long as that of the process
  const controller = new AbortController()
  const end = () => controller.abort()
  const timer = setTimeout(end, timeoutMs)
  signal.addEventListener('abort', end)
  try {
    const response = await fetch(url, { method: 'POST', ...message, redirect: 'manual', signal: controller.signal })
    await response.body?.cancel()
    return { status: response.status, error: response.ok ? null : `it answered ${response.status}` }
  } catch (error) {
    signal.throwIfAborted()
    if (controller.signal.aborted) return { status: null, error: `no answer within ${timeoutMs / 1000} s` }
    const { message, cause } = error as Error & { cause?: { code?: string, message?: string } }
    return { status: null, error: oneLine(cause?.code ?? cause?.message ?? message) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

const show = ({ event, eventId, status, durationMs, error }: Delivery) =>
  line`${new Date().toISOString()}  ${event}  ${eventId}  → ${paint(error ? 'red' : 'green', String(status ?? 'failed'))} in ${durationMs} ms${reasonOf({ status, error })}`

const reasonOf = ({ status, error }: Pick<Delivery, 'status' | 'error'>) => status === null ? line`: ${error ?? ''}` : ''
