import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'

/** Values that are read only when metrics are requested. */
export interface Readings {
  /** The names of all tasks. */
  tasks: string[]
  now(): number
  /** Jobs that are due and not claimed by a worker. */
  dueJobs(): Promise<{ task: string, count: number, oldestDueAt: number }[]>
  /** Bytes of the database file and of its log; undefined where there is none. */
  databaseSize(): { data: number, log: number } | undefined
  freeBytes(): Promise<number>
  /** Emails that wait to be indexed for the search, and those that are left out of the index. */
  pendingSearch(): Promise<{ waiting: number, givenUp: number }>
  /** Emails that were accepted and are not published yet. */
  arriving(): number
  smtpSessions(): number
}

/** Requests without a complete answer, each with its operation as soon as that is known. */
export type OpenRequests = Set<{ operationId?: string }>

/** @returns a function that sets all gauges; a gauge whose value cannot be read is left out */
export function openReadings(
  { registers: own, ofDatabase }: Record<'registers' | 'ofDatabase', Registry[]>, readings: Readings, openRequests: OpenRequests,
): () => Promise<void> {
  const gaugeIn = (registers: Registry[]) => (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `mayfly_${name}`, help, labelNames, registers })
  const [gauge, gaugeOfDatabase] = [gaugeIn(own), gaugeIn(ofDatabase)]
  const due = gaugeOfDatabase('jobs_due', 'Jobs that are due and wait to be worked on, by task.', 'task')
  const oldest = gaugeOfDatabase('jobs_oldest_due_age_seconds', 'How long the oldest of them has been due; 0 when there is none.', 'task')
  const size = gauge('database_bytes', 'Size of the database and of its write-ahead log.', 'file')
  const free = gauge('free_bytes', 'Room for mail: free disk, and what removed rows have left.')
  const search = gaugeOfDatabase('search_pending_emails', 'Emails that are not in the search index: waiting, or given up after repeated failures.', 'state')
  const arriving = gauge('emails_arriving', 'Emails that were accepted and are not shown yet.')
  const sessions = gauge('smtp_sessions', 'SMTP sessions that are open.')
  const open = gauge('http_requests_open', 'HTTP requests that are not over, waits and streams among them, by operation.', 'operation')

  const reads: [Gauge[], () => void | Promise<void>][] = [
    [[due, oldest], async () => {
      const jobs = new Map((await readings.dueJobs()).map((row) => [row.task, row]))
      for (const task of readings.tasks) {
        const { count, oldestDueAt } = jobs.get(task) ?? { count: 0, oldestDueAt: readings.now() }
        due.set({ task }, count)
        oldest.set({ task }, Math.max(0, readings.now() - oldestDueAt) / 1000)
      }
    }],
    [[size], () => {
      const bytes = readings.databaseSize()
      if (!bytes) return
      size.set({ file: 'data' }, bytes.data)
      size.set({ file: 'log' }, bytes.log)
    }],
    [[free], async () => free.set(await readings.freeBytes().catch(() => NaN))],
    [[search], async () => {
      const { waiting, givenUp } = await readings.pendingSearch()
      search.set({ state: 'waiting' }, waiting)
      search.set({ state: 'given_up' }, givenUp)
    }],
    [[arriving], () => arriving.set(readings.arriving())],
    [[sessions], () => sessions.set(readings.smtpSessions())],
    [[open], () => {
      open.reset()
      for (const { operationId = 'none' } of openRequests) open.inc({ operation: operationId })
    }],
  ]
  return async () => {
    await Promise.all(reads.map(async ([gauges, read]) => {
      try {
        await read()
      } catch {
        for (const gauge of gauges) gauge.reset()
      }
    }))
  }
}
