import { redeliver, testWebhook } from '../../domain/webhook-deliveries.ts'
import { createWebhook, deleteWebhook, noWebhook, rotateSecret, updateWebhook } from '../../domain/webhooks.ts'
import { listDeliveries } from '../../store/webhook-deliveries.ts'
import { findWebhook, listWebhooks, toWebhook } from '../../store/webhooks.ts'
import type { Handlers } from './handler.ts'
import { pageOf, shownPage } from './page.ts'

export const webhooks = {
  async 'webhooks.list'(app, { caller }) {
    return { data: await listWebhooks(app.db, caller) }
  },

  async 'webhooks.create'(app, { caller, body }) {
    return { data: await createWebhook(app, caller, body) }
  },

  async 'webhooks.get'(app, { caller, path }) {
    const webhook = await findWebhook(app.db, caller, path.id)
    if (!webhook) throw noWebhook()
    return { data: toWebhook(webhook) }
  },

  async 'webhooks.update'(app, { caller, path, body }) {
    return { data: await updateWebhook(app, caller, path.id, body) }
  },

  async 'webhooks.delete'(app, { caller, path }) {
    await deleteWebhook(app, caller, path.id)
    return { message: 'The webhook is deleted.' }
  },

  async 'webhooks.test'(app, { caller, path }) {
    return { data: await testWebhook(app, caller, path.id) }
  },

  async 'webhooks.rotateSecret'(app, { caller, path }) {
    return { data: await rotateSecret(app, caller, path.id) }
  },

  async 'webhooks.deliveries'(app, { caller, path, query }) {
    if (!await findWebhook(app.db, caller, path.id)) throw noWebhook()
    const page = pageOf(query, 20)
    const { deliveries, ...found } = await listDeliveries(app.db, path.id, page)
    return { data: deliveries, ...found, ...shownPage(page) }
  },

  async 'webhooks.redeliver'(app, { caller, path }) {
    return { data: await redeliver(app, caller, path.id, path.deliveryId) }
  },
} satisfies Pick<Handlers,
  'webhooks.list' | 'webhooks.create' | 'webhooks.get' | 'webhooks.update' | 'webhooks.delete' | 'webhooks.test' |
  'webhooks.rotateSecret' | 'webhooks.deliveries' | 'webhooks.redeliver'>
