import { client } from '../client.ts'
import { said } from '../connection.ts'
import type { Connection } from '../connection.ts'
import {
  webhooksCreate, webhooksDelete, webhooksDeliveries, webhooksGet, webhooksList, webhooksRedeliver, webhooksRotateSecret, webhooksTest,
  webhooksUpdate,
} from '../generated/sdk.gen.ts'
import type {
  Message, Webhook, WebhookCreate, WebhookCreated, WebhookDelivery, WebhooksDeliveriesResponse, WebhookUpdate,
} from '../generated/types.gen.ts'
import type { RequestOptions } from '../options.ts'
import { itemsInData, page, toList, toWholeList } from '../pages.ts'
import type { MayflyList } from '../pages.ts'
import type { MayflyPromise } from '../promise.ts'

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
      return toWholeList(call('webhooks.list', webhooksList({ client }), options, itemsInData))
    },

    /**
     * Subscribes a URL to events. The `secret` that signs deliveries is shown only now. It is missing when the first answer was lost
     * and the call was tried again: give a `secret` of your own, or call `rotateSecret` then.
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
    create(wish: WebhookCreate, options?: RequestOptions): MayflyPromise<WebhookCreated> {
      return call('webhooks.create', webhooksCreate({ client, body: wish }), options)
    },

    /**
     * Reads one webhook, without its secret.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [first] = await mayfly.webhooks.list()
     * if (first) console.log((await mayfly.webhooks.get(first.id)).disabledReason)
     */
    get(id: string, options?: RequestOptions): MayflyPromise<Webhook> {
      return call('webhooks.get', webhooksGet({ client, path: { id } }), options)
    },

    /**
     * Sends a made-up event to a webhook. Its outcome is seen under `deliveries`; it never disables the webhook.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * if (webhook) await mayfly.webhooks.test(webhook.id)
     */
    test(id: string, options?: RequestOptions): MayflyPromise<WebhookDelivery> {
      return call('webhooks.test', webhooksTest({ client, path: { id } }), options)
    },

    /**
     * Replaces the secret of a webhook. The new one is shown only now; for 24 hours the old one signs too. It is missing when the
     * first answer was lost and the call was tried again: call this once more then.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * if (webhook) console.log((await mayfly.webhooks.rotateSecret(webhook.id)).secret)
     */
    rotateSecret(id: string, options?: RequestOptions): MayflyPromise<WebhookCreated> {
      return call('webhooks.rotateSecret', webhooksRotateSecret({ client, path: { id } }), options)
    },

    /**
     * Lists the attempts to deliver events to a webhook, made or planned, newest first.
     * @param query.limit size of the page, 1 to 100; 20 when it is left out
     * @param query.offset how many to skip, at most 10,000
     * @param query.before the id of a delivery: only older ones
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
      return toList(query, (part) => call('webhooks.deliveries', webhooksDeliveries({ client, path: { id }, query: part }), options, page))
    },

    /**
     * Delivers the event of a delivery once more.
     * @throws NotFoundError when the webhook has no such delivery
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * const failed = webhook && (await mayfly.webhooks.deliveries(webhook.id)).data.find(({ status }) => status === 'failed')
     * if (webhook && failed) await mayfly.webhooks.redeliver(webhook.id, failed.id)
     */
    redeliver(id: string, deliveryId: string, options?: RequestOptions): MayflyPromise<WebhookDelivery> {
      return call('webhooks.redeliver', webhooksRedeliver({ client, path: { id, deliveryId } }), options)
    },

    /**
     * Changes a webhook. `isActive: true` switches on again one that failures have disabled.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * for (const { id, isActive } of await mayfly.webhooks.list()) {
     *   if (!isActive) await mayfly.webhooks.update(id, { isActive: true })
     * }
     */
    update(id: string, changes: WebhookUpdate, options?: RequestOptions): MayflyPromise<Webhook> {
      return call('webhooks.update', webhooksUpdate({ client, path: { id }, body: changes }), options)
    },

    /**
     * Removes a webhook.
     * @throws NotFoundError when the account has no such webhook
     * @example
     * const [webhook] = await mayfly.webhooks.list()
     * if (webhook) await mayfly.webhooks.delete(webhook.id)
     */
    delete(id: string, options?: RequestOptions): MayflyPromise<Message> {
      return call('webhooks.delete', webhooksDelete({ client, path: { id } }), options, said)
    },
  }
}
