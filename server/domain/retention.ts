import { dayMs, secondMs } from '../clock.ts'
import type { App } from '../context.ts'
import { removeAuditLogs } from '../store/accounts/audit-logs.ts'
import { removeOldKeys, keyRetentionMs } from '../store/accounts/idempotency-keys.ts'
import { removeExpiredSessions } from '../store/accounts/sessions.ts'
import { removeOldLinks } from '../store/accounts/sign-in-links.ts'
import { removeRestedNames } from '../store/addresses/address-names.ts'
import { removeOldTries } from '../store/addresses/smtp-activity.ts'
import type { Tx } from '../store/database.ts'
import { removeOldEvents } from '../store/events/outbox.ts'
import { removeOldWebhookDeliveries } from '../store/events/webhook-deliveries.ts'
import type { SweepState } from '../store/jobs/job-payloads.ts'
import { removeJobs, enqueue, enqueueOnce } from '../store/jobs/jobs.ts'
import { nextEmail, removeOldEmails } from '../store/mail/email-removal.ts'
import { removeEndedCounts } from '../store/outgoing/mail-counts.ts'
import { removeVerifications } from '../store/outgoing/mail-deliveries.ts'
import { maxEmailsAtOnce } from './addresses.ts'
import { linkRetentionMs } from './sign-in-links.ts'

/** Removes a batch. @returns when the next step is due, in milliseconds since 1970, and its state */
type Step = (app: Pick<App, 'config'>, tx: Tx, sweep: SweepState) => Promise<{ runAt: number, next?: SweepState }>

/** Retention of events, verification mails and webhook deliveries, in milliseconds. */
const eventRetentionMs = 7 * dayMs

/** Maximum rows of a table that one transaction removes, so that it does not block others for long (docs/decisions/0018). */
const maxRowsAtOnce = 250

/** The sweeps, each with a lane of its own. */
export const sweeps: Record<string, Step> = { emails: sweepEmails, rows: sweepRows }

/** A step plans the next one before it ends: a start of another node would not see it. */
const sweepLock = 'sweeps'

/** Replaces the planned sweeps at the start of a server: its settings may have changed. */
export async function planSweeps(tx: Tx): Promise<void> {
  await tx.engine.locks.lockName(tx, sweepLock)
  await removeJobs(tx, 'sweep')
  for (const name of Object.keys(sweeps)) await enqueue(tx, 'sweep', {}, { lane: { sweep: name } })
}

/** Does a step of a sweep, and plans the next step in the same transaction, so there is always exactly one job. */
export async function sweep(app: App, tx: Tx, name: string, state: SweepState): Promise<void> {
  await tx.engine.locks.lockName(tx, sweepLock)
  const { runAt, next = {} } = await sweeps[name]!(app, tx, state)
  await enqueue(tx, 'sweep', next, { lane: { sweep: name }, runAt })
}

/** Minimum milliseconds between two steps, so that emails that expire one after the other share a step. */
const pauseMs = 10 * secondMs

/**
 * Examines each email once when its retention is over. Emails that stay are examined again every day: those of expired addresses, which
 * are removed with their address, and those that are still being delivered.
 */
async function sweepEmails({ config }: Pick<App, 'config'>, tx: Tx, { after = '', begun = tx.now, isPartial = false }: SweepState) {
  const retentionMs = config.retentionSeconds * 1000
  const isAgain = isPartial && tx.now >= begun + dayMs
  const { last, seen, stayed } = await removeOldEmails(tx, {
    after: isAgain ? '' : after, before: tx.now - retentionMs + 1, limit: maxEmailsAtOnce,
  })
  const next = { after: last, begun: isAgain ? tx.now : begun, isPartial: stayed > 0 || isPartial && !isAgain }
  if (seen > 0) await enqueueOnce(tx, 'purge-messages')
  if (seen === maxEmailsAtOnce) return { runAt: tx.now, next }
  const oldest = await nextEmail(tx, last) ?? tx.now
  const runAt = Math.max(oldest + retentionMs, tx.now + pauseMs)
  return { runAt: next.isPartial ? Math.min(runAt, Math.max(next.begun + dayMs, tx.now + pauseMs)) : runAt, next }
}

/** Runs every day at midnight UTC: audit rows are removed a whole day at a time. */
async function sweepRows({ config }: Pick<App, 'config'>, tx: Tx) {
  const part = { before: tx.now - eventRetentionMs, limit: maxRowsAtOnce }
  const verifications = await removeVerifications(tx, part)
  if (verifications > 0) await enqueueOnce(tx, 'purge-messages')
  const removed = [
    verifications,
    await removeOldEvents(tx, part),
    await removeOldWebhookDeliveries(tx, part),
    await removeRestedNames(tx, maxRowsAtOnce),
    await removeOldTries(tx, { before: tx.now - config.retentionSeconds * 1000, limit: maxRowsAtOnce }),
    await removeOldKeys(tx, { before: tx.now - keyRetentionMs, limit: maxRowsAtOnce }),
    await removeExpiredSessions(tx, { before: tx.now, limit: maxRowsAtOnce }),
    await removeOldLinks(tx, { before: tx.now - linkRetentionMs, limit: maxRowsAtOnce }),
    await removeEndedCounts(tx, { before: tx.now, limit: maxRowsAtOnce }),
    await removeAuditLogs(tx, midnightBefore(tx.now - config.auditRetentionDays * dayMs), maxRowsAtOnce),
  ]
  return { runAt: Math.max(...removed) === maxRowsAtOnce ? tx.now : midnightBefore(tx.now) + dayMs }
}

const midnightBefore = (time: number) => time - time % dayMs

const task = 'shrink-database'

/** Maximum pages that one transaction gives back to the file system, so that it does not block other writers for long. */
const maxPagesAtOnce = 64

/** Queues a job that gives free pages back to the file system, if there are more than are kept for new mail. */
export async function planShrinking({ db }: Pick<App, 'db'>, tx: Tx): Promise<void> {
  if (excessPages(db) > 0) await enqueueOnce(tx, task)
}

/** Gives some free pages back to the file system, and queues the next step. */
export async function shrinkDatabase({ db }: Pick<App, 'db'>, tx: Tx): Promise<void> {
  const excess = excessPages(db)
  if (excess === 0) return
  db.engine.file?.shrink(Math.min(excess, maxPagesAtOnce))
  if (excess > maxPagesAtOnce) await enqueue(tx, task, {})
}

const excessPages = ({ engine }: App['db']) => engine.file?.excessPages() ?? 0
