import { redeliver, testWebhook } from '../../domain/webhook-deliveries.ts'
import { createWebhook, deleteWebhook, rotateSecret, shownTo, updateWebhook } from '../../domain/webhooks.ts'
import { notFound } from '../../errors.ts'
import { listWebhookDeliveries } from '../../store/events/webhook-deliveries.ts'
import { findWebhook, listWebhooks, toWebhook } from '../../store/events/webhooks.ts'
import { pageOf, shownPage } from '../../store/page.ts'
import { change } from './change.ts'
import type { HandlersOf, ApiReply } from './handler.ts'

export const webhooks = {
  async 'webhooks.list'(app, { caller }) {
    return { data: (await listWebhooks(app.db, caller)).map((webhook) => shownTo(caller, webhook)) }
  },

  'webhooks.create': change({
    run: (tx, { caller, body }, app) => createWebhook(tx, app, caller, body),
    reply: (data) => ({ data }),
    toRepeat: withoutSecret,
  }),

  async 'webhooks.get'(app, { caller, path }) {
    const webhook = await findWebhook(app.db, caller, path.id)
    if (!webhook) throw notFound('webhook')
    return { data: shownTo(caller, toWebhook(webhook)) }
  },

  'webhooks.update': change({
    run: (tx, { caller, path, body }, app) => updateWebhook(tx, app, caller, path.id, body),
    reply: (data) => ({ data }),
  }),

  'webhooks.delete': change({
    run: (tx, { caller, path }) => deleteWebhook(tx, caller, path.id),
    reply: () => ({ message: 'The webhook is deleted.' }),
  }),

  'webhooks.test': change({
    run: (tx, { caller, path }, app) => testWebhook(tx, app, caller, path.id),
    reply: (data) => ({ data }),
  }),

  'webhooks.rotateSecret': change({
    run: (tx, { caller, path }) => rotateSecret(tx, caller, path.id),
    reply: (data) => ({ data }),
    toRepeat: withoutSecret,
  }),

  async 'webhooks.deliveries'(app, { caller, path, query }) {
    if (!await findWebhook(app.db, caller, path.id)) throw notFound('webhook')
    const page = pageOf(query, 20)
    const { deliveries, ...found } = await listWebhookDeliveries(app.db, path.id, page)
    return { data: deliveries, ...found, ...shownPage(page) }
  },

  'webhooks.redeliver': change({
    run: (tx, { caller, path }) => redeliver(tx, caller, path.id, path.deliveryId),
    reply: (data) => ({ data }),
  }),
} satisfies HandlersOf<'webhooks'>

/** A secret is shown once. JSON leaves out a member that is undefined. */
function withoutSecret({ data }: ApiReply<'webhooks.create'>): ApiReply<'webhooks.create'> {
  return { data: { ...data, secret: undefined } }
}
