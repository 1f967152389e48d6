import { randomInt } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { compareSubjects, publishedEmails } from '../../crash/published-emails.ts'
import { call, newAddress, startServer } from '../../crash/server.ts'
import { openEndpoint } from '../../support/endpoint.ts'
import { hasGrown } from '../../support/grown.ts'
import { runOnPostgres } from '../../support/postgres.ts'
import { startPostgres } from '../../support/postgres-server.ts'
import { openStoredData } from '../../support/store/stored-data.ts'
import { openBalancer } from './balancer.ts'
import { createAddresses, follow, send, waitForMails } from './clients.ts'
import type { KeyedAnswers } from './clients.ts'

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
  /** Counters that differ from the rows that they count. */
  wrongCounters: string[]
  /** Jobs that are left when all is quiet. */
  leftJobs: number
  /** The longest time until other nodes had the jobs of a killed one, in milliseconds. */
  maxTakeoverMs: number
}

/** Maximum time until other nodes have the jobs of a killed one: 15 seconds of silence, and the interval of the beats. */
const takeoverLimitMs = 21_000

/** @returns the members of a report that must not be as they are */
export function wrongIn({ accepted, events, keys, isStreamComplete, maxTakeoverMs, ...problems }: NodesReport): string[] {
  return [
    ...Object.entries(problems).filter(([, found]) => Array.isArray(found) ? found.length > 0 : found !== 0).map(([name]) => name),
    ...Math.min(accepted, events, keys) === 0 ? ['load'] : [],
    ...isStreamComplete ? [] : ['isStreamComplete'],
    ...maxTakeoverMs > takeoverLimitMs ? ['maxTakeoverMs'] : [],
  ]
}

interface Node {
  server: Awaited<ReturnType<typeof startServer>>
  skewMs: number
  isSuspended: boolean
}

/** Repeated requests are audited too. */
const ofRequests = 'creations'
const skewsMs = [0, 2_000, -2_000]
const skewedClock = fileURLToPath(new URL('./skewed-clock.js', import.meta.url))
const senders = 6
/** A fault comes after so many mails or fewer, at random, or after the time. */
const maxMailsARound = 20
const maxRoundMs = 30_000
/** Longer than the silence after which a node counts as dead. */
const suspendedMs = 20_000
const maxQuietMs = 60_000

type Fault = 'kill' | 'suspend' | 'end connections' | 'restart the database'
const faults: Fault[] = ['kill', 'end connections', 'kill', 'restart the database', 'kill', 'suspend']

/**
 * Three nodes behind a balancer, with clocks that differ, under load of mail, keyed requests, waits, a stream and a webhook. Each round
 * kills or suspends a node, ends all connections to the database, or restarts it without a shutdown. Compares all at the end.
 */
export async function nodesRounds(
  rounds: number, folder: string, progress: (step: string) => void = () => {},
): Promise<NodesReport> {
  await using world = await openWorld(folder)
  const { nodes, postgres, database, key, url } = world
  await using hook = await openEndpoint()
  await call(url, key, '/webhooks', { method: 'POST', body: JSON.stringify({ url: hook.url, events: ['email.received'] }) })
  const address = await newAddress(url, key)
  const { cursor } = await call(url, key, `/emails?address_id=${address.id}`) as { cursor: string }

  const [ending, ended] = [new AbortController(), new AbortController()]
  const client = { url, key, signal: ended.signal }
  const accepted = new Set<string>()
  const answers: KeyedAnswers = new Map()
  const seen = new Set<string>()
  const streamed: string[] = []
  const load = [
    ...Array.from({ length: senders }, (_, i) =>
      send({ port: world.smtpPort, recipient: address.address, name: `mail ${i}`, signal: ending.signal }, accepted)),
    createAddresses(client, ending.signal, answers),
  ]
  const readers = [waitForMails(client, address.id, cursor, seen), follow(client, streamed)]
  const suspensions: Promise<void>[] = []
  for (let round = 1; round <= rounds; round++) {
    await hasGrown(accepted, 1 + randomInt(maxMailsARound), maxRoundMs)
    const fault = faults[round % faults.length]!
    progress(`${round} of ${rounds}: ${fault}, ${accepted.size} mails`)
    const running = nodes.filter(({ isSuspended }) => !isSuspended)
    const node = running[randomInt(running.length)]!
    if (fault === 'kill') await world.replace(node)
    if (fault === 'suspend' && running.length === nodes.length) suspensions.push(suspend(node))
    if (fault === 'end connections') await endConnections(database)
    if (fault === 'restart the database') await postgres.restart()
  }
  await Promise.all(suspensions)
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
  await until(() => streamed.length >= outbox.length && emails.every(({ id }) => seen.has(id)))
  ended.abort()
  await Promise.all(readers)

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
    wrongCounters: Object.entries(counters).filter(([name, [counter, rows]]) => name !== ofRequests && counter !== rows)
      .map(([name]) => name),
    leftJobs,
    maxTakeoverMs: Math.max(0, ...takeoversMs),
  }
}

async function openWorld(folder: string) {
  const postgres = await startPostgres()
  const database = postgres.url('postgres')
  const start = (skewMs: number) => startServer(folder, {
    MAYFLY_DATABASE: database,
    MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true',
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${skewedClock}`,
    TEST_CLOCK_SKEW_MS: String(skewMs),
  })
  const nodes: Node[] = await Promise.all(skewsMs.map(async (skewMs) => ({ server: await start(skewMs), skewMs, isSuspended: false })))
  const portsOf = (portOf: (node: Node) => number) => () => nodes.map(portOf)
  const takeoversMs: Promise<number>[] = []
  const http = await openBalancer(portsOf(({ server }) => Number(new URL(server.url).port)))
  const smtp = await openBalancer(portsOf(({ server }) => server.smtpPort))
  return {
    nodes, postgres, database,
    key: nodes.map(({ server }) => server.key).find((key) => key !== '')!,
    url: `http://127.0.0.1:${http.port}`,
    smtpPort: smtp.port,
    /** The times until other nodes had the jobs of a killed one, in milliseconds. */
    takeoversMs,
    /** Kills a node, and starts another one in its place. */
    async replace(node: Node) {
      const { child, exited } = node.server
      const ids = await untilRun(database, `select id from nodes where label like '%/${child.pid}'`)
      child.kill('SIGKILL')
      await exited
      takeoversMs.push(...ids.map(({ id }) => takeoverOf(database, String(id))))
      node.server = await start(node.skewMs)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([http[Symbol.asyncDispose](), smtp[Symbol.asyncDispose]()])
      for (const { server } of nodes) server.child.kill('SIGCONT')
      for (const { server } of nodes) server.child.kill('SIGTERM')
      await Promise.all(nodes.map(({ server }) => server.exited))
      await postgres.stop()
    },
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

/** @returns the time until no job is claimed by a node that is dead */
async function takeoverOf(database: string, nodeId: string): Promise<number> {
  const begun = performance.now()
  while ((await untilRun(database, `select 1 from jobs where claimed_by = '${nodeId}' limit 1`)).length > 0) await pass(200)
  return Math.round(performance.now() - begun)
}

/** Waits until mail, webhooks and authentications are done. @returns the number of their jobs that are left */
async function untilQuiet(database: string): Promise<number> {
  const count = async () => Number((await untilRun(database,
    `select count(*) as jobs from jobs where task in ('parse-message', 'authenticate-message', 'deliver-webhook', 'deliver-mail')`))[0]!['jobs'])
  const deadline = performance.now() + maxQuietMs
  while (await count() > 0 && performance.now() < deadline) await pass(200)
  return count()
}

async function until(isDone: () => boolean) {
  const deadline = performance.now() + maxQuietMs
  while (!isDone() && performance.now() < deadline) await pass(100)
}

/** Runs a statement when the database is there. */
async function untilRun(database: string, statement: string): Promise<Record<string, unknown>[]> {
  const deadline = performance.now() + maxQuietMs
  for (;;) {
    try {
      return await runOnPostgres(database, statement)
    } catch (error) {
      if (performance.now() > deadline) throw error
      await pass(100)
    }
  }
}
