import { expireAddress, purgeAddress, purgeMailbox } from '../../domain/addresses.ts'
import { updateBinding } from '../../domain/domain-addresses.ts'
import { planShrinking, shrinkDatabase } from '../../domain/file-size.ts'
import { discardMessage, purgeDiscarded } from '../../domain/discarded-messages.ts'
import { sweep, sweeps } from '../../domain/retention.ts'
import { giveUpDeliveries, purgeDeliveries } from '../../domain/webhooks.ts'
import { decodeLane } from '../../store/lanes.ts'
import type { Task, Tasks } from '../task.ts'
import { authenticateMessage } from './authenticate-message.ts'
import { minuteMs, soonMs } from './delays.ts'
import { deliverMail } from './deliver-mail.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { parseMessage } from './parse-message.ts'
import { verifyDomain } from './verify-domain.ts'

const expire: Task<'expire-address'> = {
  maxPerLane: 16,
  leaseMs: minuteMs,
  retryDelaysMs: soonMs,
  run: async (app, { addressId }) => (tx) => expireAddress(app, tx, addressId),
}

const purge: Task<'purge-address'> = {
  maxPerLane: 1,
  leaseMs: minuteMs,
  retryDelaysMs: soonMs,
  run: async (_app, { addressId, owner }) => (tx) => purgeAddress(tx, owner, addressId),
}

/** The settings of a task of many small steps, each of which queues the next one. Incoming mail takes precedence. */
const inSteps = { maxPerLane: 1, underLoad: { maxJobs: 1, pauseMs: 10 }, leaseMs: minuteMs, retryDelaysMs: soonMs }

const emptyMailbox: Task<'purge-mailbox'> = {
  ...inSteps,
  run: async (_app, { addressId }) => (tx) => purgeMailbox(tx, addressId),
}

const bindAddresses: Task<'bind-addresses'> = {
  ...inSteps,
  run: async (_app, { domainId }) => (tx) => updateBinding(tx, domainId),
}

const purgeMessages: Task<'purge-messages'> = {
  ...inSteps,
  run: async (app) => async (tx) => {
    await purgeDiscarded(tx)
    await planShrinking(app, tx)
  },
}

const shrink: Task<'shrink-database'> = {
  ...inSteps,
  run: async (app) => (tx) => shrinkDatabase(app, tx),
}

const discard: Task<'discard-message'> = {
  maxPerLane: 1,
  leaseMs: minuteMs,
  retryDelaysMs: soonMs,
  run: async (_app, { messageId }) => (tx) => discardMessage(tx, messageId),
}

const giveUp: Task<'give-up-deliveries'> = {
  ...inSteps,
  run: async (_app, part) => (tx) => giveUpDeliveries(tx, part),
}

const purgeOfWebhook: Task<'purge-deliveries'> = {
  ...inSteps,
  run: async (_app, webhook) => (tx) => purgeDeliveries(tx, webhook),
}

/** Each sweep has a lane. */
const sweepUp: Task<'sweep'> = {
  ...inSteps,
  maxInAllLanes: Object.keys(sweeps).length,
  retryDelaysMs: [minuteMs, 10 * minuteMs],
  run: async (app, state, { task, laneKey }) => (tx) => sweep(app, tx, decodeLane(task, laneKey).sweep, state),
}

/** The tasks by their names in the queue. */
export const tasks: Tasks = {
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
  'sweep': sweepUp,
}
