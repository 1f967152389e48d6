import { messageAlone } from '../core/connection.ts'
import type { Connection } from '../core/connection.ts'
import type { RequestOptions } from '../core/options.ts'
import { page, pageInData, toList } from '../core/pages.ts'
import type { MayflyList } from '../core/pages.ts'
import type { MayflyPromise } from '../core/promise.ts'
import type {
  Message, Webhook, WebhookCreate, WebhookCreated, WebhookDelivery, WebhooksDeliveriesResponse, WebhookUpdate,
} from '../generated/types.gen.ts'

/** `mayfly.webhooks`: subscriptions that push events to a server of yours. */
export function webhookOperations({ call }: Connection) {
  return {
    /**
     * Lists all webhooks of the account, newest first, without their secrets.
     * @example
     * for (const { url, isActive, disabledReason } of await mayfly.webhooks.list()) {
     *   console.log(url, isActive ? 'active' : disabledReason)
     * }
     */
    list(options?: RequestOptions): MayflyList<Webhook[], Webhook> {
      return toList({}, () => call('webhooks.list', {}, options, pageInData))
    },

    /**
     * Subscribes a URL to events. Only this answer has the `secret` that signs deliveries. It is missing when the first
     * answer was lost and the call was repeated: then call `rotateSecret`, or give a `secret` of your own.
     * @param input.url an https URL with a public address; http and private addresses where the operator allows them
     * @param input.events 1 to 10 events
     * @param input.secret 8 to 200 characters; default: `whsec_` and 32 random bytes in base64
     * @param input.form `a` or `b` for deliveries of one form alone; default: `both`, which Standard Webhooks needs
     * @throws InvalidRequestError when the URL or an event is not allowed
     * @example
     * const { id, secret } = await mayfly.webhooks.create({
     *   url: 'https://ci.example.com/mail', events: ['email.received'],
     * })
     * console.log(`Keep ${secret} to verify what ${id} sends`)
     */
    create(input: WebhookCreate, options?: RequestOptions): MayflyPromise<WebhookCreated> {
      return call('webhooks.create', { body: input }, options)
    },

    /**
     * Returns a webhook, without its secret.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [first] = await mayfly.webhooks.list()
     * if (first) console.log((await mayfly.webhooks.get(first.id)).disabledReason)
     */
    get(id: string, options?: RequestOptions): MayflyPromise<Webhook> {
      return call('webhooks.get', { path: { id } }, options)
    },

    /**
     * Sends a test event to a webhook. `deliveries` shows its result; a failure never disables the webhook.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * if (webhook) await mayfly.webhooks.test(webhook.id)
     */
    test(id: string, options?: RequestOptions): MayflyPromise<WebhookDelivery> {
      return call('webhooks.test', { path: { id } }, options)
    },

    /**
     * Replaces the secret of a webhook. Only this answer has the new secret; for 24 hours the old secret signs too. The secret is
     * missing when the first answer was lost and the call was repeated: then call this again.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * if (webhook) console.log((await mayfly.webhooks.rotateSecret(webhook.id)).secret)
     */
    rotateSecret(id: string, options?: RequestOptions): MayflyPromise<WebhookCreated> {
      return call('webhooks.rotateSecret', { path: { id } }, options)
    },

    /**
     * Lists the attempts to deliver events to a webhook, made or planned, newest first.
     * @param query.limit size of the page, 1 to 100, default 20
     * @param query.offset number of attempts to skip, at most 10,000
     * @param query.before the id of a delivery: only older deliveries
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * if (webhook) {
     *   for (const { event, attempt, error } of (await mayfly.webhooks.deliveries(webhook.id)).data) console.log(event, attempt, error)
     * }
     */
    deliveries(
      id: string, query: { limit?: number, offset?: number, before?: string } = {}, options?: RequestOptions,
    ): MayflyList<WebhooksDeliveriesResponse, WebhookDelivery> {
      return toList(query, (part) => call('webhooks.deliveries', { path: { id }, query: part }, options, page))
    },

    /**
     * Delivers the event of a delivery again.
     * @throws NotFoundError when the webhook has no such delivery
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * const failed = webhook && (await mayfly.webhooks.deliveries(webhook.id)).data.find(({ status }) => status === 'failed')
     * if (webhook && failed) await mayfly.webhooks.redeliver(webhook.id, failed.id)
     */
    redeliver(id: string, deliveryId: string, options?: RequestOptions): MayflyPromise<WebhookDelivery> {
      return call('webhooks.redeliver', { path: { id, deliveryId } }, options)
    },

    /**
     * Changes a webhook. `isActive: true` enables a webhook that was disabled after failures; `form` is that of later events.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * for (const { id, isActive } of await mayfly.webhooks.list()) {
     *   if (!isActive) await mayfly.webhooks.update(id, { isActive: true })
     * }
     */
    update(id: string, changes: WebhookUpdate, options?: RequestOptions): MayflyPromise<Webhook> {
      return call('webhooks.update', { path: { id }, body: changes }, options)
    },

    /**
     * Removes a webhook.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * if (webhook) await mayfly.webhooks.delete(webhook.id)
     */
    delete(id: string, options?: RequestOptions): MayflyPromise<Message> {
      return call('webhooks.delete', { path: { id } }, options, messageAlone)
    },
  }
}
