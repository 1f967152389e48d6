import type { World } from '../attack/world.ts'
import { openDatabaseFile } from '../support/store/database-files.ts'

/** Readings of the server and its files at one moment. */
export interface Readings {
  rssMegabytes: number
  fileMegabytes: number
  /** Pages of the file that are not free. */
  usedMegabytes: number
  /** Of these, rows that are kept for days: events, deliveries to webhooks, audit records and names of addresses. */
  keptMegabytes: number
  dueJobs: number
  oldestJobSeconds: number
  /** Mails that the search index does not have yet. */
  unindexed: number
  /** Messages that are still to be removed, and addresses whose emails are. */
  unremoved: number
  /** p99 since the last reading. */
  eventLoopMs: number
}

export async function readServer({ target, file, rssMegabytes, fileMegabytes }: World): Promise<Readings> {
  const metrics = await (await fetch(`${target.url}/metrics`)).text()
  const values = (name: string) => [...metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value))
  using database = openDatabaseFile(file)
  // these tables keep their rows for days, regardless of `MAYFLY_RETENTION_SECONDS`
  const { used, kept, unindexed, unremoved } = database.sizes(['outbox', 'webhook_deliveries', 'audit_logs', 'address_names'])
  return {
    usedMegabytes: used / 1e6,
    rssMegabytes: rssMegabytes().now,
    fileMegabytes: fileMegabytes(),
    keptMegabytes: kept / 1e6,
    dueJobs: values('mayfly_jobs_due').reduce((sum, value) => sum + value, 0),
    oldestJobSeconds: Math.max(0, ...values('mayfly_jobs_oldest_due_age_seconds')),
    unindexed,
    unremoved,
    eventLoopMs: values('nodejs_eventloop_lag_p99_seconds')[0]! * 1000,
  }
}
