import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { runOnPostgres } from '../test/support/postgres.ts'
import type { PostgresServer } from '../test/support/postgres-server.ts'
import { openServer } from './bench-server.ts'
import { openHttp } from './http-load.ts'
import { readMetrics } from './metrics-text.ts'
import { portIn, startServer } from './processes.ts'
import { familyMs, machineMs } from './processor-times.ts'
import { runLoad } from './run-load.ts'
import type { LoadFigures } from './simulated-service.ts'

/** Mail of a load; without a rate each connection sends its next mail after the 250. */
export interface Load {
  mail: string
  count: number
  /** At each node. */
  connections: number
  /** At all nodes together. */
  perSecond?: number
}

export interface MeasuredLoad extends LoadFigures {
  /** Processor time of a mail until it is in the search index. */
  senderMs: number
  mainThreadMs: number
  /** Of the threads that read and write the mail for which clients wait, and of those that work on it later. */
  mailThreadsMs: number
  laterMs: number
  databaseMs: number
  /** From the 250 of the last mail until all are in the search index. */
  indexedAfterMs: number
  /** Processors that other work on this machine used meanwhile. */
  othersProcessors: number
}

/** Starts nodes on a PostgreSQL server of this machine. Needs /proc. */
export async function openMeasuredService(postgres: PostgresServer, nodeCount: number) {
  const database = postgres.url('service')
  await runOnPostgres(postgres.url('postgres'), 'create database service template template0')
  const first = await openServer(database)
  const nodes: { pid: number, smtpPort: number, httpPort: number, stop(): Promise<void> }[] = [first]
  while (nodes.length < nodeCount) {
    const { output, ...started } = await startServer(database)
    nodes.push({ ...started, smtpPort: portIn(output, 'smtp'), httpPort: portIn(output, 'http') })
  }
  const http = openHttp(first.key)
  const { address } = await first.newAddress()

  /** Ends of groups of all nodes. */
  async function ends() {
    const sums = { groups: 0, lockMs: 0, endMs: 0 }
    for (const { httpPort } of nodes) {
      const metrics = readMetrics(await http.get(httpPort, '/metrics'))
      const total = (name: string, step: string) => metrics.values(`mayfly_commit_wait_seconds_${name}`)
        .find(({ labels }) => labels['step'] === step)?.value ?? 0
      sums.groups += total('count', 'lock')
      sums.lockMs += total('sum', 'lock') * 1_000
      sums.endMs += total('sum', 'commit') * 1_000
    }
    return sums
  }

  async function indexed() {
    const waiting = async () => (await runOnPostgres(database, 'select count(*) as waiting from email_search_pending'))[0]!['waiting']
    while (Number(await waiting()) > 0) await pause(100)
  }

  const readAll = async () => ({
    ...await ends(),
    threads: nodes.map(({ pid }) => threadsOf(pid)),
    databaseMs: familyMs(postgres.pid),
    machineMs: machineMs(),
    at: performance.now(),
  })

  return {
    async measure({ mail, count, connections, perSecond }: Load): Promise<MeasuredLoad> {
      const before = await readAll()
      const reports = await Promise.all(nodes.map(({ smtpPort: port }) => runLoad({
        port, recipient: address, mails: [mail], count: count / nodeCount, connections, perSecond: perSecond && perSecond / nodeCount,
      })))
      const sentAt = performance.now()
      await indexed()
      const after = await readAll()
      const groups = after.groups - before.groups
      const threads = after.threads.map((times, i) => timesByWork(times, before.threads[i]!))
      const times = (work: keyof typeof threads[0]) => sum(threads.map((each) => each[work]))
      const nodesMs = times('main') + times('mail') + times('later')
      const databaseMs = after.databaseMs - before.databaseMs
      const senderMs = sum(reports.map((report) => report.processorMs))
      return {
        mailsPerSecond: count / Math.max(...reports.map(({ seconds }) => seconds)),
        p50Ms: sum(reports.map(({ ackMs }) => ackMs.p50)) / nodeCount,
        p99Ms: sum(reports.map(({ ackMs }) => ackMs.p99)) / nodeCount,
        mailsInGroup: count / groups,
        lockMs: (after.lockMs - before.lockMs) / groups,
        endMs: (after.endMs - before.endMs) / groups,
        senderMs: senderMs / count,
        mainThreadMs: times('main') / count,
        mailThreadsMs: times('mail') / count,
        laterMs: times('later') / count,
        databaseMs: databaseMs / count,
        indexedAfterMs: after.at - sentAt,
        othersProcessors: (after.machineMs - before.machineMs - nodesMs - databaseMs - senderMs) / (after.at - before.at),
      }
    },
    async stop() {
      http.close()
      for (const node of nodes) await node.stop()
    },
  }
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

type ThreadTimes = Map<string, { name: string, isLow: boolean, ms: number }>

/** Processor time of each thread of a process, by its number. */
function threadsOf(pid: number): ThreadTimes {
  const folder = `/proc/${pid}/task`
  return new Map(readdirSync(folder).map((thread) => {
    const [, name, fields] = /\((.*)\) (.*)/.exec(readFileSync(`${folder}/${thread}/stat`, 'utf8'))!
    const niceness = Number(fields!.split(' ')[16])
    const nanoseconds = Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0])
    return [thread, { name: name!, isLow: niceness > 0, ms: nanoseconds / 1e6 }]
  }))
}

/** Adds up the times since a reading; those of the threads that collect garbage are spread over the others. */
function timesByWork(now: ThreadTimes, before: ThreadTimes) {
  const times = { main: 0, mail: 0, later: 0, other: 0 }
  for (const [thread, { name, isLow, ms }] of now) {
    const work = isLow ? 'later' : name === 'node-MainThread' ? 'main' : name === 'mail-thread' ? 'mail' : 'other'
    times[work] += ms - (before.get(thread)?.ms ?? 0)
  }
  const { main, mail, later, other } = times
  const factor = 1 + other / (main + mail + later)
  return { main: main * factor, mail: mail * factor, later: later * factor }
}
