import Sqlite from 'better-sqlite3'
import type { World } from '../attack/world.ts'

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

/** Tables whose rows are kept for days, regardless of `MAYFLY_RETENTION_SECONDS`. */
const keptTables = ['outbox', 'webhook_deliveries', 'audit_logs', 'address_names']

export async function readServer({ target, file, rssMegabytes, fileMegabytes }: World): Promise<Readings> {
  const metrics = await (await fetch(`${target.url}/metrics`)).text()
  const values = (name: string) => [...metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value))
  const sqlite = new Sqlite(file, { readonly: true, timeout: 5_000 })
  try {
    const kept = sqlite.prepare(`select coalesce(sum(pgsize), 0) from dbstat where aggregate = true and name in
      (select name from sqlite_master where tbl_name in (${keptTables.map(() => '?').join()}))`).pluck()
    const pragma = (name: string) => Number(sqlite.pragma(name, { simple: true }))
    return {
      usedMegabytes: (pragma('page_count') - pragma('freelist_count')) * pragma('page_size') / 1e6,
      rssMegabytes: rssMegabytes().now,
      fileMegabytes: fileMegabytes(),
      keptMegabytes: Number(kept.get(...keptTables)) / 1e6,
      dueJobs: values('mayfly_jobs_due').reduce((sum, value) => sum + value, 0),
      oldestJobSeconds: Math.max(0, ...values('mayfly_jobs_oldest_due_age_seconds')),
      unindexed: Number(sqlite.prepare('select count(*) from email_search_pending').pluck().get()),
      unremoved: Number(sqlite.prepare('select (select count(*) from removed_mailboxes) + (select count(*) from discarded_messages)').pluck().get()),
      eventLoopMs: values('nodejs_eventloop_lag_p99_seconds')[0]! * 1000,
    }
  } finally {
    sqlite.close()
  }
}
