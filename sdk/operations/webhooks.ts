import { call } from '../call.ts'
import type { RequestOptions } from '../call.ts'
import type { Connection } from '../connection.ts'
import { Webhooks } from '../generated/sdk.gen.ts'
import type {
  Message, Webhook, WebhookCreate, WebhookCreated, WebhookDelivery, WebhooksDeliveriesResponse, WebhookUpdate,
} from '../generated/types.gen.ts'
import { needId } from '../ids.ts'

/** `mayfly.webhooks`: subscriptions that push events to a server of yours. */
export function webhookOperations(connection: Connection) {
  const api = new Webhooks({ client: connection.client })
  return {
    /**
     * Lists all webhooks of the account, newest first, without their secrets.
     * @example
     * for (const { url, isActive, disabledReason } of await mayfly.webhooks.list()) {
     *   console.log(url, isActive ? 'active' : disabledReason)
     * }
     */
    async list(options?: RequestOptions): Promise<Webhook[]> {
      const { body } = await call(connection, (request) => api.list(request), 'data', options)
      return body.data
    },

    /**
     * Subscribes a URL to events. The `secret` that signs deliveries is shown only now.
     * @param wish.url an https URL that the public can reach; http and private ones where the operator allows them
     * @param wish.events 1 to 10 events
     * @param wish.secret `whsec_` and 24 to 64 random bytes in base64; omitted, one is made
     * @throws InvalidRequestError when the URL or an event is not allowed
     * @example
     * const { id, secret } = await mayfly.webhooks.create({
     *   url: 'https://ci.example.com/mail', events: ['email.received'],
     * })
     * console.log(`Keep ${secret} to verify what ${id} sends`)
     */
    async create(wish: WebhookCreate, options?: RequestOptions): Promise<WebhookCreated> {
      const { body } = await call(connection, (request) => api.create({ ...request, body: wish }), 'data', options)
      return body.data
    },

    /**
     * Reads one webhook, without its secret.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [first] = await mayfly.webhooks.list()
     * if (first) console.log((await mayfly.webhooks.get(first.id)).disabledReason)
     */
    async get(id: string, options?: RequestOptions): Promise<Webhook> {
      const path = { id: needId(id, 'webhooks.get', 'a webhook id') }
      const { body } = await call(connection, (request) => api.get({ ...request, path }), 'data', options)
      return body.data
    },

    /**
     * Sends a made-up event to a webhook. Its outcome is seen under `deliveries`; it never disables the webhook.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * if (webhook) await mayfly.webhooks.test(webhook.id)
     */
    async test(id: string, options?: RequestOptions): Promise<WebhookDelivery> {
      const path = { id: needId(id, 'webhooks.test', 'a webhook id') }
      const { body } = await call(connection, (request) => api.test({ ...request, path }), 'data', options)
      return body.data
    },

    /**
     * Replaces the secret of a webhook. The new one is shown only now; for 24 hours the old one signs too.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * if (webhook) console.log((await mayfly.webhooks.rotateSecret(webhook.id)).secret)
     */
    async rotateSecret(id: string, options?: RequestOptions): Promise<WebhookCreated> {
      const path = { id: needId(id, 'webhooks.rotateSecret', 'a webhook id') }
      const { body } = await call(connection, (request) => api.rotateSecret({ ...request, path }), 'data', options)
      return body.data
    },

    /**
     * Lists the attempts to deliver events to a webhook, made or planned, newest first.
     * @param query.limit size of the page, 1 to 100; 20 when it is left out
     * @param query.offset how many to skip
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * if (webhook) {
     *   for (const { event, attempt, error } of (await mayfly.webhooks.deliveries(webhook.id)).data) console.log(event, attempt, error)
     * }
     */
    async deliveries(
      id: string, query: { limit?: number, offset?: number } = {}, options?: RequestOptions,
    ): Promise<WebhooksDeliveriesResponse> {
      const path = { id: needId(id, 'webhooks.deliveries', 'a webhook id') }
      const { body } = await call(connection, (request) => api.deliveries({ ...request, path, query }), 'data', options)
      return body
    },

    /**
     * Delivers the event of a delivery once more.
     * @throws NotFoundError when the webhook has no such delivery
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * const failed = webhook && (await mayfly.webhooks.deliveries(webhook.id)).data.find(({ status }) => status === 'failed')
     * if (webhook && failed) await mayfly.webhooks.redeliver(webhook.id, failed.id)
     */
    async redeliver(id: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery> {
      const path = {
        id: needId(id, 'webhooks.redeliver', 'a webhook id'),
        deliveryId: needId(deliveryId, 'webhooks.redeliver', 'a delivery id'),
      }
      const { body } = await call(connection, (request) => api.redeliver({ ...request, path }), 'data', options)
      return body.data
    },

    /**
     * Changes a webhook. `isActive: true` switches on again one that failures have disabled.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * for (const { id, isActive } of await mayfly.webhooks.list()) {
     *   if (!isActive) await mayfly.webhooks.update(id, { isActive: true })
     * }
     */
    async update(id: string, changes: WebhookUpdate, options?: RequestOptions): Promise<Webhook> {
      const path = { id: needId(id, 'webhooks.update', 'a webhook id') }
      const { body } = await call(
        connection, (request) => api.update({ ...request, path, body: changes }), 'data', options,
      )
      return body.data
    },

    /**
     * Removes a webhook.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * if (webhook) await mayfly.webhooks.delete(webhook.id)
     */
    async delete(id: string, options?: RequestOptions): Promise<Message> {
      const path = { id: needId(id, 'webhooks.delete', 'a webhook id') }
      const { body } = await call(connection, (request) => api.delete({ ...request, path }), 'message', options)
      return body
    },
  }
}
