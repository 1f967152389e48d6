import pg from 'pg'
import { pause } from '../../../deadline.ts'
import type { NoticeReceiver, Notices } from '../../shared-database.ts'
import { processIdOf } from './pg-internals.ts'
import { connectTimeoutMs, settingsOf } from './pool.ts'

const channel = 'mayfly_commits'
/** Topics of commits within this time share a notice. */
const gatherMs = 5
/** The server takes less than 8,000 bytes. */
const maxPayloadBytes = 7_900
/** Topics that are named; of more, the others are told to look at everything. */
const maxTopics = 1_000
const everything = '*'
/** Delays before the connection is opened again; the last one repeats. */
const reopenDelaysMs = [50, 250, 1_000, 5_000]
/** Time without an answer after which the connection counts as lost, and the interval in which it is checked. */
const [answerTimeoutMs, checkMs] = [5_000, 10_000]

/** Opens a connection that listens, and sends outside of the transactions of data: a NOTIFY delays the commit of its transaction. */
export async function openNotices(url: string, receiver: NoticeReceiver): Promise<Notices> {
  const connection = new NoticeConnection(url, receiver)
  await connection.open()
  return connection
}

class NoticeConnection implements Notices {
  readonly #url: string
  readonly #receiver: NoticeReceiver
  /** Undefined while the connection is lost. */
  #client: pg.Client | undefined = undefined
  #checking: NodeJS.Timeout | undefined = undefined
  #reopening: Promise<void> | undefined = undefined
  /** Topics that wait for the next notice. */
  #waiting = new Set<string>()
  /** Whether a notice is going to be sent, or is being sent. */
  #isPlanned = false
  #sending: Promise<unknown> = Promise.resolve()
  readonly #closing = new AbortController()

  constructor(url: string, receiver: NoticeReceiver) {
    this.#url = url
    this.#receiver = receiver
  }

  async open(): Promise<void> {
    await this.#connect()
    this.#checking = setInterval(() => {
      const checked = this.#client
      checked?.query('select 1').catch((error: unknown) => this.#lost(checked, error))
    }, checkMs).unref()
  }

  async #connect() {
    const opened = new pg.Client({
      ...settingsOf(this.#url), application_name: 'mayfly notices', connectionTimeoutMillis: connectTimeoutMs, query_timeout: answerTimeoutMs,
    })
    opened.on('error', (error) => this.#lost(opened, error))
    opened.on('end', () => this.#lost(opened, new Error('the connection was ended')))
    opened.on('notification', ({ processId, payload = '' }) => {
      if (opened === this.#client && processId !== processIdOf(opened)) this.#receiver.receive(toTopics(payload))
    })
    try {
      await opened.connect()
      await opened.query(`listen ${channel}`)
    } catch (error) {
      opened.end().catch(() => {}) // it may have connected
      throw error
    }
    this.#client = opened
  }

  #lost(former: pg.Client, error: unknown) {
    if (this.#client !== former) return
    this.#client = undefined
    former.end().catch(() => {}) // it is lost already
    if (this.#closing.signal.aborted) return
    this.#receiver.failed(error)
    this.#reopening = this.#reopen()
  }

  async #reopen() {
    const { signal } = this.#closing
    for (let attempt = 0; !signal.aborted; attempt++) {
      await pause(reopenDelaysMs[Math.min(attempt, reopenDelaysMs.length - 1)]!, signal)
      if (signal.aborted) return
      try {
        await this.#connect()
      } catch (error) {
        this.#receiver.failed(error)
        continue
      }
      // both sides may have missed something
      this.#receiver.receive(null)
      this.#waiting.add(everything)
      return this.#plan()
    }
  }

  send(topics: Set<string>): void {
    if (!this.#client) return // when it is open again, the others look at everything
    if (this.#waiting.size > maxTopics) this.#waiting = new Set([everything])
    else for (const topic of topics) this.#waiting.add(topic)
    this.#plan()
  }

  #plan() {
    if (this.#isPlanned || !this.#client || this.#waiting.size === 0) return
    this.#isPlanned = true
    setTimeout(() => { this.#sending = this.#flush() }, gatherMs)
  }

  async #flush() {
    const sender = this.#client
    const topics = this.#waiting
    this.#waiting = new Set()
    try {
      await sender?.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [channel, toPayloads(topics)])
    } catch (error) {
      this.#lost(sender!, error)
    }
    this.#isPlanned = false
    this.#plan()
  }

  async close(): Promise<void> {
    clearInterval(this.#checking)
    this.#closing.abort()
    await this.#reopening
    await this.#sending
    const last = this.#client
    this.#client = undefined
    await last?.end()
  }
}

/** @returns null for everything, also where another program or a newer version has sent the notice */
function toTopics(payload: string): Set<string> | null {
  try {
    return payload === everything ? null : new Set(JSON.parse(payload) as string[])
  } catch {
    return null
  }
}

/** Divides topics among payloads of JSON. */
function toPayloads(topics: Set<string>): string[] {
  if (topics.has(everything) || topics.size > maxTopics) return [everything]
  const payloads: string[] = []
  let part: string[] = []
  let bytes = 2
  for (const topic of topics) {
    const text = JSON.stringify(topic)
    const size = Buffer.byteLength(text) + 1
    if (size > maxPayloadBytes) return [everything]
    if (bytes + size > maxPayloadBytes) {
      payloads.push(`[${part.join()}]`)
      part = []
      bytes = 2
    }
    part.push(text)
    bytes += size
  }
  return [...payloads, `[${part.join()}]`]
}
