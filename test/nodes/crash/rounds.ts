import { randomInt } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { compareSubjects, publishedEmails } from '../../crash/published-emails.ts'
import { call, newAddress } from '../../crash/server.ts'
import { openEndpoint } from '../../support/endpoint.ts'
import { hasGrown } from '../../support/grown.ts'
import { runOnPostgres } from '../../support/postgres.ts'
import { openStoredData } from '../../support/store/stored-data.ts'
import { createAddresses, follow, requestTimeoutMs, send, waitForMails } from './clients.ts'
import type { KeyedAnswers } from './clients.ts'
import { compareWithLimit, newLimitedRequests, sendBeyondLimit, windowAt } from './limited-requests.ts'
import { checkSources, openFaultyStore } from './sources.ts'
import { openWorld, untilRun } from './world.ts'
import type { Node } from './world.ts'

export interface NodesReport {
  /** Mails that were answered 250, and of these the lost ones, those published twice, and those that no wait has returned. */
  accepted: number
  lost: string[]
  repeated: string[]
  missedByWaits: number
  /** Events of the outbox, and whether the stream had them, each once and in their order. */
  events: number
  isStreamComplete: boolean
  /** Events of the outbox that the webhook was not sent, and those with more than one delivery. */
  undelivered: number
  doubleDeliveries: number
  /** Idempotency keys; those with different answers; addresses beyond one for each key. */
  keys: number
  unequalAnswers: number
  doubleAddresses: number
  /** Windows whose limit of requests was reached; requests that passed beyond it; windows that refused one before it was reached. */
  limitedWindows: number
  requestsBeyondLimit: number
  windowsBelowLimit: number
  /** Counters that differ from the rows that they count. */
  wrongCounters: string[]
  /** Jobs that are left when all is quiet: their tasks and attempts. */
  leftJobs: string[]
  /** Mails whose source is not as it was sent, of a sample; sources that have not left the database; objects that no row names. */
  damaged: string[]
  unmoved: number
  orphans: number
  /** The longest time until other nodes had the jobs of a killed one, in milliseconds. */
  maxTakeoverMs: number
}

/** Maximum time until other nodes have the jobs of a killed one: 15 seconds of silence, the interval of the beats, and a busy machine. */
const takeoverLimitMs = 60_000

/** @returns the members of a report that must not be as they are */
export function wrongIn({ accepted, events, keys, isStreamComplete, maxTakeoverMs, ...problems }: NodesReport): string[] {
  return [
    ...Object.entries(problems).filter(([name, found]) => name !== 'limitedWindows' && (Array.isArray(found) ? found.length > 0 : found !== 0))
      .map(([name]) => name),
    ...Math.min(accepted, events, keys) === 0 ? ['load'] : [],
    ...isStreamComplete ? [] : ['isStreamComplete'],
    ...maxTakeoverMs > takeoverLimitMs ? ['maxTakeoverMs'] : [],
  ]
}

/** Repeated requests are audited too. */
const ofRequests = 'creations'
const skewsMs = [0, 2_000, -2_000]
const senders = 6
/** A fault comes after so many mails or fewer, at random, or after the time. */
const maxMailsARound = 20
const maxRoundMs = 30_000
/** Longer than the silence after which a node counts as dead. */
const suspendedMs = 20_000
/** Longer than the minute until the second attempt of a delivery that a fault has failed. */
const maxQuietMs = 90_000
/** Requests of an account, or of a network, in a minute. */
const rateLimit = 2_000

type Fault = 'kill' | 'suspend' | 'end connections' | 'restart the database'
const faults: Fault[] = ['kill', 'end connections', 'kill', 'restart the database', 'kill', 'suspend']

/**
 * Three nodes behind a balancer, with clocks that differ, under load of mail, keyed requests, waits, a stream and a webhook. Each round
 * kills or suspends a node, ends all connections to the database, or restarts it without a shutdown. Compares all at the end.
 * @param options.hasStore has a store of the sources of mail, which is unavailable or slow in some of the rounds
 */
export async function nodesRounds(
  rounds: number, folder: string, progress: (step: string) => void = () => {}, { hasStore = false } = {},
): Promise<NodesReport> {
  await using store = hasStore ? await openFaultyStore() : undefined
  await using world = await openWorld({
    folder, skewsMs, variables: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true', MAYFLY_RATE_LIMIT: String(rateLimit), ...store?.variables },
  })
  const { nodes, postgres, database, key, url } = world
  await using hook = await openEndpoint()
  await call(url, key, '/webhooks', { method: 'POST', body: JSON.stringify({ url: hook.url, events: ['email.received'] }) })
  const address = await newAddress(url, key)
  const { cursor } = await call(url, key, `/emails?address_id=${address.id}`) as { cursor: string }

  const [ending, ended] = [new AbortController(), new AbortController()]
  const client = { url, key, signal: ended.signal }
  const accepted = new Set<string>()
  const answers: KeyedAnswers = new Map()
  const requests = newLimitedRequests()
  const seen = new Set<string>()
  const streamed: string[] = []
  const load = [
    ...Array.from({ length: senders }, (_, i) =>
      send({ port: world.smtpPort, recipient: address.address, name: `mail ${i}`, signal: ending.signal }, accepted)),
    createAddresses(client, ending.signal, answers),
    sendBeyondLimit({ url, timeoutMs: requestTimeoutMs }, ending.signal, requests),
  ]
  const readers = [waitForMails(client, address.id, cursor, seen), follow(client, streamed)]
  const failed = Promise.withResolvers<never>()
  for (const client of [...load, ...readers, failed.promise]) client.catch(failed.reject)
  const suspensions: Promise<void>[] = []
  for (let round = 1; round <= rounds; round++) {
    await Promise.race([hasGrown(accepted, 1 + randomInt(maxMailsARound), maxRoundMs), failed.promise])
    const fault = faults[round % faults.length]!
    const storeFault = store?.nextFault()
    progress(`${round} of ${rounds}: ${fault}, ${accepted.size} mails${storeFault ? `, the store is ${storeFault}` : ''}`)
    const running = nodes.filter(({ isSuspended }) => !isSuspended)
    const node = running[randomInt(running.length)]!
    if (fault === 'kill') await world.replace(node)
    if (fault === 'suspend' && running.length === nodes.length) suspensions.push(suspend(node))
    if (fault === 'end connections') await endConnections(database)
    if (fault === 'restart the database') {
      requests.crashes.push(windowAt(Date.now()))
      await postgres.restart()
    }
  }
  await Promise.all(suspensions)
  store?.endFaults()
  ending.abort()
  progress('the load ends')
  await Promise.all(load)
  progress('jobs of killed nodes')
  const takeoversMs = await Promise.all(world.takeoversMs)
  progress('accepted mails')
  const emails = await publishedEmails(url, key, address.id, accepted)
  progress('jobs that are left')
  const leftJobs = await untilQuiet(database)
  const outbox = await runOnPostgres(database, 'select id, event from outbox order by seq')
  progress('the stream, and the waits')
  await untilAll(() => streamed.length + seen.size, outbox.length + emails.length)
  ended.abort()
  await Promise.all(readers)

  const sources = store ? await checkSources(store, { url, key, database, emails }) : { damaged: [], unmoved: 0, orphans: 0 }

  const told = new Set(hook.deliveries.map(({ event }) => event.id))
  const doubles = await runOnPostgres(database, 'select event_id from webhook_deliveries group by event_id, attempt having count(*) > 1')
  await using stored = await openStoredData(database)
  const [counters, addresses] = [await stored.counters(), await stored.addressIds()]
  return {
    accepted: accepted.size,
    ...compareSubjects(accepted, emails),
    missedByWaits: emails.filter(({ id }) => !seen.has(id)).length,
    events: outbox.length,
    isStreamComplete: streamed.join() === outbox.map(({ id }) => id).join(),
    undelivered: outbox.filter(({ id, event }) => event === 'email.received' && !told.has(id as string)).length,
    doubleDeliveries: doubles.length,
    keys: answers.size,
    unequalAnswers: [...answers.values()].filter((ids) => ids.size !== 1).length,
    doubleAddresses: addresses.size - 1 - answers.size,
    ...compareWithLimit(requests, rateLimit),
    wrongCounters: Object.entries(counters).filter(([name, [counter, rows]]) => name !== ofRequests && counter !== rows)
      .map(([name]) => name),
    leftJobs,
    ...sources,
    maxTakeoverMs: Math.max(0, ...takeoversMs),
  }
}

async function suspend(node: Node): Promise<void> {
  node.isSuspended = true
  node.server.child.kill('SIGSTOP')
  await pass(suspendedMs)
  node.server.child.kill('SIGCONT')
  node.isSuspended = false
}

const endConnections = (database: string) =>
  untilRun(database, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')

/** Waits until mail, webhooks and authentications are done. @returns their jobs that are left */
async function untilQuiet(database: string): Promise<string[]> {
  const left = async () => (await untilRun(database, `select task || ', ' || attempts || ' attempts' as job from jobs
    where task in ('parse-message', 'authenticate-message', 'deliver-webhook', 'deliver-mail')`)).map(({ job }) => String(job))
  const deadline = performance.now() + maxQuietMs
  while ((await left()).length > 0 && performance.now() < deadline) await pass(200)
  return left()
}

/** Waits until a count has reached a number, or has not grown for a while. */
async function untilAll(count: () => number, all: number) {
  for (let before = -1; count() < all && count() > before;) {
    before = count()
    for (const deadline = performance.now() + maxQuietMs; count() === before && performance.now() < deadline;) await pass(100)
  }
}
