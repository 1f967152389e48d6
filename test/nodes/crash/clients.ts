import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { sendMails } from '../../crash/send-mails.ts'
import { readEvents } from '../../support/event-reader.ts'
import type { EventReader } from '../../support/event-reader.ts'

/** Clients of several nodes, which go on after errors as clients do that lose nothing. Each runs until the signal. */
export interface ClientOptions {
  /** URL of a balancer. */
  url: string
  key: string
  signal: AbortSignal
}

/** Time after which a client gives a request up: its node may be suspended. */
export const requestTimeoutMs = 8_000
const retryMs = 50

/** Bytes of the mails, in turn: text in a row, attachments in a row and in chunks. */
const sizes = [2_000, 2_000, 100_000, 2_000, 2_000, 400_000]

/** Sends mails over one connection after the other. @param accepted gets the subjects of those that were answered 250 */
export async function send(
  { port, recipient, name, signal, replyTimeoutMs = requestTimeoutMs }:
  { port: number, recipient: string, name: string, signal: AbortSignal, replyTimeoutMs?: number },
  accepted: Set<string>, refusals?: string[],
): Promise<void> {
  for (let connection = 1; !signal.aborted; connection++) {
    await sendMails({
      port, recipient, signal, accepted, ...refusals && { refusals },
      name: `${name}-${connection}`,
      bytes: (mail) => sizes[(mail + connection) % sizes.length]!,
      mails: 1 + randomInt(30),
      pauseMs: 20,
      replyTimeoutMs,
    })
    await pass(retryMs)
  }
}

/** Pauses that keep the requests of the account within its limit. */
const [keyPauseMs, waitPauseMs] = [250, 60]

/** An idempotency key, with the ids in the answers to all its requests. */
export type KeyedAnswers = Map<string, Set<string>>

/** Creates addresses, each by three requests with one key: two at once, one later. @param stop ends it before the next key */
export async function createAddresses(options: ClientOptions, stop: AbortSignal, answers: KeyedAnswers): Promise<void> {
  while (!stop.aborted) {
    const key = randomUUID()
    const ids = new Set<string>()
    const create = async () => {
      const answer = await untilAnswered(options, '/addresses', { method: 'POST', body: '{}', headers: { 'Idempotency-Key': key } })
      if (answer) ids.add((await answer.json() as { data: { id: string } }).data.id)
    }
    await Promise.all([create(), create()])
    await create()
    answers.set(key, ids)
    await pass(keyPauseMs)
  }
}

/** Waits for one mail after the other, each from the cursor of the last answer. @param seen gets the ids @returns the number of waits */
export async function waitForMails(options: ClientOptions, addressId: string, cursor: string, seen: Set<string>): Promise<number> {
  let after = cursor
  for (let waits = 0; ; waits++) {
    const answer = await untilAnswered(options, `/emails/wait?address_id=${addressId}&timeout=2&after=${after}`)
    if (!answer) return waits
    after = answer.headers.get('x-mayfly-cursor')!
    if (answer.status === 200) seen.add((await answer.json() as { data: { id: string } }).data.id)
    await pass(waitPauseMs)
  }
}

/** Time without an event or a comment after which a reader connects again. */
const quietMs = 4_000

/** Follows the stream from the oldest event on. It goes on after its last event at another node. @param ids gets the ids of the events */
export async function follow({ url, key, signal }: ClientOptions, ids: string[]): Promise<void> {
  let lastId = '0'
  while (!signal.aborted) {
    const reader = await readEvents(url, key, { 'last-event-id': lastId }).catch(() => undefined)
    if (reader?.answer.statusCode === 200) await takeEvents(reader, signal, ids)
    reader?.drop()
    lastId = reader?.lastId || lastId
    await pass(retryMs)
  }
}

/** Resolves when the stream ends, or is quiet. */
async function takeEvents(reader: EventReader, signal: AbortSignal, ids: string[]) {
  let isOver = false
  void reader.ended.then(() => { isOver = true })
  let [count, changedAt] = [0, performance.now()]
  const take = () => {
    ids.push(...reader.events.slice(count).map(({ data }) => data.id as string))
    if (reader.events.length > count) [count, changedAt] = [reader.events.length, performance.now()]
  }
  while (!isOver && !signal.aborted && performance.now() - changedAt < quietMs) {
    await pass(retryMs)
    take()
  }
  take()
}

/** Repeats a request until it is answered without a fault of the server. @returns undefined when the signal has aborted first */
async function untilAnswered({ url, key, signal }: ClientOptions, path: string, init: RequestInit = {}): Promise<Response | undefined> {
  while (!signal.aborted) {
    const headers = { ...init.headers, 'authorization': `Bearer ${key}`, ...init.body ? { 'content-type': 'application/json' } : {} }
    const answer = await fetch(`${url}/api/v1${path}`, { ...init, headers, signal: AbortSignal.timeout(requestTimeoutMs) })
      .then(async (response) => new Response(response.status === 204 ? null : await response.arrayBuffer(), response))
      .catch(() => undefined) // its node or connection has failed
    if (answer && answer.status < 500) {
      if (answer.ok) return answer
      throw new Error(`${init.method ?? 'GET'} ${path}: ${answer.status} ${await answer.text()}`)
    }
    await pass(retryMs)
  }
  return undefined
}
