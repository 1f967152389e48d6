import type { App } from '../context.ts'
import { deleteRestedNames } from '../store/addresses.ts'
import { deleteAuditLogs } from '../store/audit-logs.ts'
import type { Tx } from '../store/database.ts'
import { nextEmail, removeOldEmails } from '../store/email-removal.ts'
import { deleteOldKeys, keyRetention } from '../store/idempotency-keys.ts'
import type { SweepState } from '../store/job-payloads.ts'
import { dropJobs, enqueue, enqueueOnce } from '../store/jobs.ts'
import { deleteEvents, deleteVerifications, deleteWebhookDeliveries } from '../store/remains.ts'
import { emailsAtOnce } from './addresses.ts'

/** Removes a part of what is old. @returns when to go on, in milliseconds since 1970, and with what */
type Step = (app: Pick<App, 'config'>, tx: Tx, sweep: SweepState) => Promise<{ runAt: number, next?: SweepState }>

const second = 1000
const day = 24 * 3600 * second

/** Milliseconds for which is kept what was told, asked and delivered. */
const eventRetention = 7 * day

/** Rows of a kind removed in one transaction: it must not hold the database for long. */
const rowsAtOnce = 250

/** What is removed by itself, each in steps of its own. */
export const sweeps: Record<string, Step> = { emails: sweepEmails, rows: sweepRows }

/** Plans each sweep once, at the start of a server: it may have other settings than the one before. */
export async function planSweeps(tx: Tx): Promise<void> {
  await dropJobs(tx, 'sweep')
  for (const name of Object.keys(sweeps)) await enqueue(tx, 'sweep', {}, { lane: { sweep: name } })
}

/** Does a step of a sweep, and plans the next one in the same transaction: so there is always exactly one. */
export async function sweep(app: App, tx: Tx, name: string, state: SweepState): Promise<void> {
  const { runAt, next = {} } = await sweeps[name]!(app, tx, state)
  await enqueue(tx, 'sweep', next, { lane: { sweep: name }, runAt })
}

/** Emails that become old one after the other share a step. */
const pause = 10 * second

/**
 * Looks at each email once when it is old, and again every day at those that stayed: their address has expired, and takes them
 * along in the end, or they were still being delivered.
 */
async function sweepEmails({ config }: Pick<App, 'config'>, tx: Tx, { after = '', begun = tx.now, isPartial = false }: SweepState) {
  const retention = config.retentionSeconds * 1000
  const isAgain = isPartial && tx.now >= begun + day
  const { last, seen, stayed } = await removeOldEmails(tx, {
    after: isAgain ? '' : after, before: tx.now - retention + 1, limit: emailsAtOnce,
  })
  const next = { after: last, begun: isAgain ? tx.now : begun, isPartial: stayed > 0 || isPartial && !isAgain }
  if (seen > 0) await enqueueOnce(tx, 'purge-messages')
  if (seen === emailsAtOnce) return { runAt: tx.now, next }
  const oldest = await nextEmail(tx, last) ?? tx.now
  const runAt = Math.max(oldest + retention, tx.now + pause)
  return { runAt: next.isPartial ? Math.min(runAt, Math.max(next.begun + day, tx.now + pause)) : runAt, next }
}

/** Every day, at midnight in UTC: audit rows go a whole day at a time. */
async function sweepRows({ config }: Pick<App, 'config'>, tx: Tx) {
  const part = { before: tx.now - eventRetention, limit: rowsAtOnce }
  const verifications = await deleteVerifications(tx, part)
  if (verifications > 0) await enqueueOnce(tx, 'purge-messages')
  const removed = [
    verifications,
    await deleteEvents(tx, part),
    await deleteWebhookDeliveries(tx, part),
    await deleteRestedNames(tx, rowsAtOnce),
    await deleteOldKeys(tx, { before: tx.now - keyRetention, limit: rowsAtOnce }),
    await deleteAuditLogs(tx, midnightBefore(tx.now - config.auditRetentionDays * day), rowsAtOnce),
  ]
  return { runAt: Math.max(...removed) === rowsAtOnce ? tx.now : midnightBefore(tx.now) + day }
}

const midnightBefore = (time: number) => time - time % day
