import { expireAddress, purgeAddress, purgeDiscarded, purgeMailbox } from '../../domain/addresses.ts'
import { updateBinding } from '../../domain/domain-addresses.ts'
import { planShrinking, shrinkDatabase } from '../../domain/file-size.ts'
import { discardMessage } from '../../domain/receiving.ts'
import { sweep, sweeps, sweepTask } from '../../domain/retention.ts'
import type { Sweep } from '../../domain/retention.ts'
import { giveUpDeliveries, purgeDeliveries } from '../../domain/webhooks.ts'
import type { Owner } from '../../store/owner.ts'
import type { WebhookKey } from '../../store/events/webhook-deliveries.ts'
import type { Task } from '../task.ts'
import { authenticateMessage } from './authenticate-message.ts'
import { deliverMail } from './deliver-mail.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { parseMessage } from './parse-message.ts'
import { verifyDomain } from './verify-domain.ts'

const soon = [1, 5, 30, 300]

const expire: Task<{ addressId: string }> = {
  concurrency: 16,
  lease: 60,
  delays: soon,
  run: async (app, { addressId }) => (tx) => expireAddress(app, tx, addressId),
}

const purge: Task<{ addressId: string, owner: Owner }> = {
  concurrency: 1,
  lease: 60,
  delays: soon,
  run: async (_app, { addressId, owner }) => (tx) => purgeAddress(tx, owner, addressId),
}

/** What is in no hurry lets incoming mail go first. */
const leisurely = { jobs: 1, pause: 10 }

/** Work of many small steps, of which one at a time is enough. */
const inSteps = { concurrency: 1, underLoad: leisurely, lease: 60, delays: soon }

const emptyMailbox: Task<{ addressId: string }> = {
  ...inSteps,
  run: async (_app, { addressId }) => (tx) => purgeMailbox(tx, addressId),
}

const bindAddresses: Task<{ domainId: string }> = {
  ...inSteps,
  run: async (_app, { domainId }) => (tx) => updateBinding(tx, domainId),
}

const purgeMessages: Task<object> = {
  ...inSteps,
  run: async (app) => async (tx) => {
    await purgeDiscarded(tx)
    await planShrinking(app, tx)
  },
}

const shrink: Task<object> = {
  ...inSteps,
  run: async (app) => (tx) => shrinkDatabase(app, tx),
}

const discard: Task<{ messageId: string }> = {
  concurrency: 1,
  lease: 60,
  delays: soon,
  run: async (_app, { messageId }) => (tx) => discardMessage(tx, messageId),
}

const giveUp: Task<{ webhookId: string, before: string }> = {
  ...inSteps,
  run: async (_app, part) => (tx) => giveUpDeliveries(tx, part),
}

const purgeOfWebhook: Task<WebhookKey> = {
  ...inSteps,
  run: async (_app, webhook) => (tx) => purgeDeliveries(tx, webhook),
}

/** Each has a lane. */
const sweepUp: Task<Sweep> = {
  ...inSteps,
  inAllLanes: Object.keys(sweeps).length,
  delays: [60, 600],
  run: async (app, payload, { lane }) => (tx) => sweep(app, tx, lane, payload),
}

/** Every kind of work, by the name it has in the queue. */
export const tasks = {
  'parse-message': parseMessage,
  'discard-message': discard,
  'authenticate-message': authenticateMessage,
  'deliver-mail': deliverMail,
  'deliver-webhook': deliverWebhook,
  'verify-domain': verifyDomain,
  'expire-address': expire,
  'purge-address': purge,
  'purge-mailbox': emptyMailbox,
  'bind-addresses': bindAddresses,
  'purge-messages': purgeMessages,
  'shrink-database': shrink,
  'give-up-deliveries': giveUp,
  'purge-deliveries': purgeOfWebhook,
  [sweepTask]: sweepUp,
} as Record<string, Task<never>>
