import { purgeAccount } from '../../domain/account-deletion.ts'
import { expireAddress, purgeAddress, purgeMailbox, trimMailbox } from '../../domain/addresses.ts'
import { updateBinding } from '../../domain/domains.ts'
import { planShrinking, shrinkDatabase, sweep, sweeps } from '../../domain/retention.ts'
import { errorRetryDelaysMs } from '../../domain/retry-delays.ts'
import { sendSignInLink } from '../../domain/sign-in-links.ts'
import { discardMessage, purgeDiscarded } from '../../domain/stored-mail.ts'
import { giveUpDeliveries, purgeDeliveries } from '../../domain/webhooks.ts'
import { decodeLane } from '../../store/jobs/lanes.ts'
import type { Tasks } from '../run-job.ts'
import { authenticateMessage } from './authenticate-message.ts'
import { deliverMail } from './deliver-mail.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { moveSources } from './move-sources.ts'
import { parseMessage } from './parse-message.ts'
import { removeSegments } from './remove-segments.ts'
import { verifyDomain } from './verify-domain.ts'

/** The settings of a task of many small steps, each of which queues the next one. Incoming mail takes precedence. */
const inSteps = { maxPerLane: 1, underLoad: { maxJobs: 1, pauseMs: 10 }, errorRetryDelaysMs: errorRetryDelaysMs.soon }

/** The tasks by their names in the queue. */
export const tasks: Tasks = {
  'parse-message': parseMessage,
  'discard-message': {
    maxPerLane: 1,
    errorRetryDelaysMs: errorRetryDelaysMs.soon,
    run: async (_app, { messageId }) => (tx) => discardMessage(tx, messageId),
  },
  'authenticate-message': authenticateMessage,
  'deliver-mail': deliverMail,
  'deliver-webhook': deliverWebhook,
  'verify-domain': verifyDomain,
  'expire-address': {
    maxPerLane: 16,
    errorRetryDelaysMs: errorRetryDelaysMs.soon,
    run: async (app, { addressId }) => (tx) => expireAddress(app, tx, addressId),
  },
  'purge-address': {
    maxPerLane: 1,
    errorRetryDelaysMs: errorRetryDelaysMs.soon,
    run: async (_app, { addressId, owner }) => (tx) => purgeAddress(tx, owner, addressId),
  },
  'purge-mailbox': {
    ...inSteps,
    run: async (_app, { addressId }) => (tx) => purgeMailbox(tx, addressId),
  },
  'trim-mailbox': {
    ...inSteps,
    run: async (_app, { addressId }) => (tx) => trimMailbox(tx, addressId),
  },
  'purge-account': {
    ...inSteps,
    run: async (_app, part) => (tx) => purgeAccount(tx, part),
  },
  'bind-addresses': {
    ...inSteps,
    run: async (_app, { domainId }) => (tx) => updateBinding(tx, domainId),
  },
  'purge-messages': {
    ...inSteps,
    run: async (app) => async (tx) => {
      await purgeDiscarded(tx)
      await planShrinking(app, tx)
    },
  },
  'shrink-database': {
    ...inSteps,
    run: async (app) => (tx) => shrinkDatabase(app, tx),
  },
  'give-up-deliveries': {
    ...inSteps,
    run: async (_app, part) => (tx) => giveUpDeliveries(tx, part),
  },
  'purge-deliveries': {
    ...inSteps,
    run: async (_app, webhook) => (tx) => purgeDeliveries(tx, webhook),
  },
  'send-sign-in-link': {
    maxPerLane: 4,
    errorRetryDelaysMs: errorRetryDelaysMs.soon,
    run: (app, { linkId }) => sendSignInLink(app, linkId),
  },
  'move-sources': moveSources,
  'remove-segments': removeSegments,
  // each sweep has a lane
  'sweep': {
    ...inSteps,
    maxInAllLanes: Object.keys(sweeps).length,
    errorRetryDelaysMs: errorRetryDelaysMs.sweep,
    run: async (app, state, { task, laneKey }) => (tx) => sweep(app, tx, decodeLane(task, laneKey).sweep, state),
  },
}
