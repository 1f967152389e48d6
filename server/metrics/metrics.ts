import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { CellCounters } from './cell-counters.ts'

/** Why a client was refused over SMTP: `lost` is a mail whose client went away, `dismissed` a session that was ended. */
const refusals = [
  'unknown_recipient', 'refused_sender', 'too_many_recipients', 'too_large', 'storage_full', 'failure', 'lost', 'dismissed', 'protocol',
] as const
export type Refusal = typeof refusals[number]

const mailOutcomes = ['sent', 'captured', 'deferred', 'refused'] as const
const webhookOutcomes = ['succeeded', 'failed'] as const

/** Kinds of transactions and slots for which PostgreSQL keeps dead rows. */
const vacuumHolders = ['transaction', 'prepared', 'standby', 'slot'] as const
/** Those with an age in seconds. */
const datedHolders = ['transaction', 'prepared'] as const

/** Calls of the store of sources. */
const storeOperations = ['put', 'read', 'remove'] as const

/** Upper bounds in seconds. */
const parseBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5, 10]
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/**
 * Counts the events of one server. The values of each label are a fixed list, so callers and senders cannot add time series. Counting costs
 * about a microsecond per mail.
 */
export class Metrics {
  readonly #registry = new Registry()
  readonly #registers = [this.#registry]
  /** Of the readings that are the same at all nodes; undefined where this process is the only one. */
  readonly #ofDatabase: Registry | undefined
  readonly #accepted = new Counter({
    name: 'mayfly_mails_accepted_total', help: 'Mails that are on disk, by the way they came: smtp, or local.', labelNames: ['way'],
    registers: this.#registers,
  })
  readonly #refused = new Counter({
    name: 'mayfly_smtp_refusals_total', help: 'Refusals over SMTP, of a recipient, a mail or a session, by reason.', labelNames: ['reason'],
    registers: this.#registers,
  })
  readonly #parsed = new Histogram({
    name: 'mayfly_mail_parse_seconds', help: 'Time that a mail took to be parsed, without waiting and storing.', buckets: parseBuckets,
    registers: this.#registers,
  })
  readonly #mails = new Counter({
    name: 'mayfly_mail_deliveries_total', help: 'Attempts to deliver a mail, by outcome.', labelNames: ['outcome'],
    registers: this.#registers,
  })
  readonly #webhooks = new Counter({
    name: 'mayfly_webhook_deliveries_total', help: 'Attempts to deliver an event to a webhook, by outcome.', labelNames: ['outcome'],
    registers: this.#registers,
  })
  readonly #requests = new Counter({
    name: 'mayfly_http_requests_total', help: 'HTTP requests by operation of the document, or none, and status.',
    labelNames: ['operation', 'status'], registers: this.#registers,
  })
  readonly #durations = new Histogram({
    name: 'mayfly_http_request_seconds', help: 'Time until the answer of an operation began. A wait takes as long as it was asked to.',
    labelNames: ['operation'], buckets: requestBuckets, registers: this.#registers,
  })
  /** Undefined where this process is the only one. */
  readonly #commits: Histogram | undefined
  /** Undefined where sources stay in the database. */
  readonly #sourceCalls: { seconds: Histogram, failures: Counter } | undefined
  /** Undefined where there is one cell. */
  readonly cells: CellCounters | undefined
  readonly #ways = { smtp: this.#accepted.labels('smtp'), local: this.#accepted.labels('local') }
  /** Requests by operation and status since the last exposition: prom-client makes a text of the labels at each call. */
  readonly #answered = new Map<string, Map<number, number>>()
  /** Requests without a complete answer, including waits and streams. */
  readonly openRequests: OpenRequests = new Set()
  readonly #readAll: () => Promise<void>
  /** Set by the first exposition. */
  #observing: Promise<void> | undefined = undefined

  /**
   * @param node the label of this process among those that share a database; undefined where it is the only one. The readings of the
   * database are those of all nodes, and have no such label.
   */
  constructor(readings: Readings, node?: string) {
    if (node !== undefined) this.#registry.setDefaultLabels({ node })
    this.#ofDatabase = node === undefined ? undefined : new Registry()
    this.#commits = node === undefined ? undefined : new Histogram({
      name: 'mayfly_commit_wait_seconds', labelNames: ['step'], buckets: requestBuckets, registers: this.#registers,
      help: 'Time that the end of a group of changes waited: for the lock that orders the commits of all nodes, then for the commit.',
    })
    this.#sourceCalls = readings.waitingSources && newSourceCalls(this.#registers)
    this.cells = readings.hasCells ? new CellCounters(this.#registers) : undefined
    // Prometheus needs a first value to calculate a rate, so all counters begin with 0
    for (const way of Object.values(this.#ways)) way.inc(0)
    for (const reason of refusals) this.#refused.inc({ reason }, 0)
    for (const outcome of mailOutcomes) this.#mails.inc({ outcome }, 0)
    for (const outcome of webhookOutcomes) this.#webhooks.inc({ outcome }, 0)
    const ofDatabase = this.#ofDatabase ? [this.#ofDatabase] : this.#registers
    this.#readAll = newGaugeReader({ registers: this.#registers, ofDatabase }, readings, this.openRequests)
  }

  /** A mail is on disk. `local` did not come over the network. */
  mailAccepted(way: 'smtp' | 'local'): void {
    this.#ways[way].inc()
  }

  smtpRefused(reason: Refusal): void {
    this.#refused.inc({ reason })
  }

  mailParsed(parseMs: number): void {
    this.#parsed.observe(parseMs / 1000)
  }

  /** The end of a group of changes is committed in a database that several nodes share. */
  commitWaited({ lockMs, commitMs }: { lockMs: number, commitMs: number }): void {
    this.#commits?.observe({ step: 'lock' }, lockMs / 1000)
    this.#commits?.observe({ step: 'commit' }, commitMs / 1000)
  }

  /** A call of the store of sources has ended. */
  sourceStoreCalled({ operation, ms, error }: { operation: string, ms: number, error: Error | undefined }): void {
    if (error) this.#sourceCalls?.failures.inc({ operation })
    else this.#sourceCalls?.seconds.observe({ operation }, ms / 1000)
  }

  /** An attempt to deliver a mail has ended. */
  mailDelivered(outcome: typeof mailOutcomes[number]): void {
    this.#mails.inc({ outcome })
  }

  /** An attempt to deliver an event to a webhook has ended. */
  webhookDelivered(outcome: typeof webhookOutcomes[number]): void {
    this.#webhooks.inc({ outcome })
  }

  /** @param operation an operationId, or `none` @param durationMs time until the answer began */
  requestAnswered(operation: string, status: number, durationMs: number): void {
    const byStatus = this.#answered.get(operation) ?? new Map<number, number>()
    this.#answered.set(operation, byStatus.set(status, (byStatus.get(status) ?? 0) + 1))
    this.#durations.observe({ operation }, durationMs / 1000)
  }

  /** All counters, and the present readings, as text for Prometheus. */
  async exposition(): Promise<{ contentType: string, text: string }> {
    await (this.#observing ??= observeProcess(this.#registry))
    for (const [operation, byStatus] of this.#answered) {
      for (const [status, count] of byStatus) this.#requests.inc({ operation, status }, count)
    }
    this.#answered.clear()
    await this.#readAll()
    const text = await this.#registry.metrics() + (await this.#ofDatabase?.metrics() ?? '')
    return { contentType: this.#registry.contentType, text }
  }
}

function newSourceCalls(registers: Registry[]) {
  const failures = new Counter({
    name: 'mayfly_source_store_failures_total', help: 'Calls of the store of sources that failed, by operation: put, read or remove.',
    labelNames: ['operation'], registers,
  })
  for (const operation of storeOperations) failures.inc({ operation }, 0)
  const seconds = new Histogram({
    name: 'mayfly_source_store_seconds', help: 'Time that a call of the store of sources took which succeeded, by operation.',
    labelNames: ['operation'], buckets: requestBuckets, registers,
  })
  return { failures, seconds }
}

/** Observes the event loop, the garbage collector and memory: costs time, so it starts with the first request for metrics. */
async function observeProcess(register: Registry) {
  const { collectDefaultMetrics } = await import('prom-client')
  collectDefaultMetrics({ register })
}

/** Values that are read only when metrics are requested. */
interface Readings {
  /** The names of all tasks. */
  tasks: string[]
  now(): number
  /** Jobs that are due and not claimed by a worker. */
  dueJobs(): Promise<{ task: string, count: number, oldestDueAt: number }[]>
  /** Bytes of the database file and of its log; undefined where there is none. */
  databaseSize(): { data: number, log: number } | undefined
  /** The statistics of a server of the database; undefined where there is none. */
  databaseFigures: (() => Promise<Figures>) | undefined
  freeBytes(): Promise<number>
  /** Emails that wait to be indexed for the search, and those that are left out of the index. */
  pendingSearch(): Promise<{ waiting: number, givenUp: number }>
  /** Sources of mail that wait for their store; undefined without one. */
  waitingSources: (() => Promise<{ mails: number, bytes: number }>) | undefined
  /** Whether there are other cells. */
  hasCells: boolean
  /** Emails that were accepted and are not published yet. */
  arriving(): number
  smtpSessions(): number
}

interface Figures {
  tables: ({ name: string } & Record<'liveRows' | 'deadRows' | 'rowBytes' | 'indexBytes', number>)[]
  holders: { kind: typeof vacuumHolders[number], transactions: number, seconds: number | null }[]
}

/** Gauges, and a function that sets them. */
type Reading = [Gauge[], () => void | Promise<void>]

/** Requests without a complete answer, each with its operation as soon as that is known. */
type OpenRequests = Set<{ operationId?: string }>

/** @returns a function that sets all gauges; a gauge whose value cannot be read is left out */
function newGaugeReader(
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

  const reads: Reading[] = [
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
  if (readings.databaseFigures) reads.push(figuresReader(gaugeOfDatabase, readings.databaseFigures))
  if (readings.waitingSources) reads.push(waitingReader(gaugeOfDatabase, readings.waitingSources))
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

/** @returns gauges of the sources that wait for their store, and a function that sets them */
function waitingReader(gauge: (name: string, help: string) => Gauge, read: NonNullable<Readings['waitingSources']>): Reading {
  const mails = gauge('sources_waiting', 'Mails whose sources wait in the database for their store.')
  const bytes = gauge('sources_waiting_bytes', 'Bytes of these sources.')
  return [[mails, bytes], async () => {
    const waiting = await read()
    mails.set(waiting.mails)
    bytes.set(waiting.bytes)
  }]
}

/** @returns gauges of a server of the database, and a function that sets them */
function figuresReader(gauge: (name: string, help: string, ...labelNames: string[]) => Gauge, read: () => Promise<Figures>): Reading {
  const rows = gauge('table_rows', 'Rows of a table, as the server estimates them: live, or dead until vacuum removes them.', 'table', 'state')
  const bytes = gauge('table_bytes', 'Size of the rows of a table, and of its indexes.', 'table', 'part')
  const transactions = gauge('vacuum_held_transactions', 'Transactions begun since the oldest one for which vacuum keeps dead rows, by what it is.', 'holder')
  const age = gauge('oldest_transaction_seconds', 'Age of the oldest transaction for which vacuum keeps dead rows; 0 when there is none.', 'holder')
  const gauges = [rows, bytes, transactions, age]
  return [gauges, async () => {
    const { tables, holders } = await read()
    for (const each of gauges) each.reset()
    for (const { name, liveRows, deadRows, rowBytes, indexBytes } of tables) {
      rows.set({ table: name, state: 'live' }, liveRows)
      rows.set({ table: name, state: 'dead' }, deadRows)
      bytes.set({ table: name, part: 'rows' }, rowBytes)
      bytes.set({ table: name, part: 'indexes' }, indexBytes)
    }
    const oldest = new Map(holders.map((holder) => [holder.kind, holder]))
    for (const holder of vacuumHolders) transactions.set({ holder }, oldest.get(holder)?.transactions ?? 0)
    for (const holder of datedHolders) age.set({ holder }, oldest.has(holder) ? oldest.get(holder)!.seconds ?? NaN : 0)
  }]
}
