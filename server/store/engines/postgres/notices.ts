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
  const closing = new AbortController()
  let client: pg.Client | undefined
  let reopening: Promise<void> | undefined
  let sending: Promise<unknown> = Promise.resolve()
  let waiting = new Set<string>()
  let isPlanned = false

  async function connect() {
    const opened = new pg.Client({
      ...settingsOf(url), application_name: 'mayfly notices', connectionTimeoutMillis: connectTimeoutMs, query_timeout: answerTimeoutMs,
    })
    opened.on('error', (error) => lost(opened, error))
    opened.on('end', () => lost(opened, new Error('the connection was ended')))
    opened.on('notification', ({ processId, payload = '' }) => {
      if (opened === client && processId !== processIdOf(opened)) receiver.receive(toTopics(payload))
    })
    try {
      await opened.connect()
      await opened.query(`listen ${channel}`)
    } catch (error) {
      opened.end().catch(() => {}) // it may have connected
      throw error
    }
    client = opened
  }

  function lost(former: pg.Client, error: unknown) {
    if (client !== former) return
    client = undefined
    former.end().catch(() => {}) // it is lost already
    if (closing.signal.aborted) return
    receiver.failed(error)
    reopening = reopen()
  }

  async function reopen() {
    for (let attempt = 0; !closing.signal.aborted; attempt++) {
      await pause(reopenDelaysMs[Math.min(attempt, reopenDelaysMs.length - 1)]!, closing.signal)
      if (closing.signal.aborted) return
      try {
        await connect()
      } catch (error) {
        receiver.failed(error)
        continue
      }
      // both sides may have missed something
      receiver.receive(null)
      waiting.add(everything)
      return plan()
    }
  }

  function plan() {
    if (isPlanned || !client || waiting.size === 0) return
    isPlanned = true
    setTimeout(() => { sending = flush() }, gatherMs)
  }

  async function flush() {
    const sender = client
    const topics = waiting
    waiting = new Set()
    try {
      await sender?.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [channel, toPayloads(topics)])
    } catch (error) {
      lost(sender!, error)
    }
    isPlanned = false
    plan()
  }

  await connect()
  const checking = setInterval(() => {
    const checked = client
    checked?.query('select 1').catch((error: unknown) => lost(checked, error))
  }, checkMs).unref()

  return {
    send(topics) {
      if (!client) return // when it is open again, the others look at everything
      if (waiting.size > maxTopics) waiting = new Set([everything])
      else for (const topic of topics) waiting.add(topic)
      plan()
    },
    async close() {
      clearInterval(checking)
      closing.abort()
      await reopening
      await sending
      const last = client
      client = undefined
      await last?.end()
    },
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
