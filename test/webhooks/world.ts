import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp, TestOptions } from '../support/app.ts'
import { openEndpoint } from '../support/endpoint.ts'
import type { Endpoint } from '../support/endpoint.ts'

const allEvents = ['email.received', 'email.deleted', 'address.created', 'address.expired', 'address.deleted']

export interface WebhooksWorld extends AsyncDisposable {
  app: TestApp
  endpoint: Endpoint
  /** Creates a webhook for the endpoint, by default for all events. Each one but the first has a query of its own. */
  subscribe(changes?: Record<string, unknown>, key?: string): Promise<{ id: string, secret: string }>
  read(id: string, key?: string): Promise<Record<string, any>>
  deliveriesOf(id: string, key?: string): Promise<Record<string, any>[]>
  now(): number
}

/** A server that may post to loopback addresses, and an endpoint there. */
export async function openWebhooksWorld(options: TestOptions = {}): Promise<WebhooksWorld> {
  return toWorld(await openTestApp(allowPrivate(options)), await openEndpoint())
}

/** One server for all tests of a suite. @returns a function that gives a test an account and an endpoint of its own */
export function shareWebhooksWorld(options: TestOptions = {}): () => Promise<WebhooksWorld> {
  const newAccount = shareTestApp(allowPrivate(options))
  return async () => toWorld(await newAccount(), await openEndpoint())
}

const allowPrivate = (options: TestOptions) => ({ ...options, env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true', ...options.env } })

function toWorld(app: TestApp, endpoint: Endpoint): WebhooksWorld {
  let subscribed = 0
  return {
    app,
    endpoint,
    async subscribe(changes = {}, key = app.key) {
      const url = endpoint.url + (subscribed++ === 0 ? '' : `?${subscribed}`)
      const { status, body } = await app.api('POST', '/webhooks', { key, body: { url, events: allEvents, ...changes } })
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.data
    },
    read: async (id, key = app.key) => (await app.api('GET', `/webhooks/${id}`, { key })).body.data,
    deliveriesOf: async (id, key = app.key) => (await app.api('GET', `/webhooks/${id}/deliveries?limit=100`, { key })).body.data,
    now: () => app.app.clock.now(),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await endpoint[Symbol.asyncDispose]()
    },
  }
}
