import { redeliver, testWebhook } from '../../domain/webhook-deliveries.ts'
import { createWebhook, deleteWebhook, rotateSecret, shownTo, updateWebhook } from '../../domain/webhooks.ts'
import { notFound } from '../../errors.ts'
import { listWebhookDeliveries } from '../../store/events/webhook-deliveries.ts'
import { findWebhook, listWebhooks, toWebhook } from '../../store/events/webhooks.ts'
import { change } from './change.ts'
import type { HandlersOf, ApiReply } from './handler.ts'
import { pageOf, shownPage } from './page.ts'

export const webhooks = {
  async 'webhooks.list'(app, { caller }) {
    return { data: (await listWebhooks(app.db, caller)).map((webhook) => shownTo(caller, webhook)) }
  },

  'webhooks.create': change(
    (app, { caller, body }) => createWebhook(app, caller, body),
    (data) => ({ data }),
    withoutSecret,
  ),

  async 'webhooks.get'(app, { caller, path }) {
    const webhook = await findWebhook(app.db, caller, path.id)
    if (!webhook) throw notFound('webhook')
    return { data: shownTo(caller, toWebhook(webhook)) }
  },

  'webhooks.update': change(
    (app, { caller, path, body }) => updateWebhook(app, caller, path.id, body),
    (data) => ({ data }),
  ),

  'webhooks.delete': change(
    (app, { caller, path }) => deleteWebhook(app, caller, path.id),
    () => ({ message: 'The webhook is deleted.' }),
  ),

  'webhooks.test': change(
    (app, { caller, path }) => testWebhook(app, caller, path.id),
    (data) => ({ data }),
  ),

  'webhooks.rotateSecret': change(
    (app, { caller, path }) => rotateSecret(app, caller, path.id),
    (data) => ({ data }),
    withoutSecret,
  ),

  async 'webhooks.deliveries'(app, { caller, path, query }) {
    if (!await findWebhook(app.db, caller, path.id)) throw notFound('webhook')
    const page = pageOf(query, 20)
    const { deliveries, ...found } = await listWebhookDeliveries(app.db, path.id, page)
    return { data: deliveries, ...found, ...shownPage(page) }
  },

  'webhooks.redeliver': change(
    (app, { caller, path }) => redeliver(app, caller, path.id, path.deliveryId),
    (data) => ({ data }),
  ),
} satisfies HandlersOf<'webhooks'>

/** A secret is shown once. JSON leaves out a member that is undefined. */
function withoutSecret({ data }: ApiReply<'webhooks.create'>): ApiReply<'webhooks.create'> {
  return { data: { ...data, secret: undefined } }
}
