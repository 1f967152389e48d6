import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openBacklog } from './backlog.ts'
import { openServer } from './bench-server.ts'
import type { BenchServer } from './bench-server.ts'
import { countFsyncs } from './fsyncs.ts'
import { mails, sourceOf } from './mails.ts'
import { portIn, startProcess } from './processes.ts'
import type { Started } from './processes.ts'
import { printReceiving } from './receiving-report.ts'
import { rounds } from './rounds.ts'
import { runLoad } from './run-load.ts'
import { sumOf, watchThreads } from './thread-times.ts'
import type { ThreadTimes } from './thread-times.ts'

/** Mails that are sent in turn, over 20 connections. */
export interface Kind {
  name: string
  mails: string[]
  /** Mails of a round. */
  count: number
  /** Whether one of ten mails is read, and a search is made for every hundred, while they arrive. */
  isRead: boolean
}

export const kinds: Kind[] = [
  ...mails.map(({ name, count }) => ({ name, mails: [name], count, isRead: false })),
  { name: 'mix', mails: mails.map(({ name }) => name), count: 1_500, isRead: true },
]

/** Figures of one round. */
export interface Round {
  /** Mails a second: until all are in the list, until all are authenticated and indexed, and accepted by the bare server. */
  published: number
  drained: number
  bare: number
  ackMs: { p50: number, p99: number }
  /** Milliseconds of processor time for each mail. */
  threads: ThreadTimes
  bareMs: number
  loopDelayMs: number
}

/** Figures of a kind of mail beside those of its rounds. */
export interface Totals {
  /** Bytes on disk for each byte of mail. */
  diskBytes: number
  /** Calls for each mail; undefined without strace. */
  fsyncs: number | undefined
  megabytes: { now: number, max: number }
}

const pollMs = 25
/** Time after a round in which the server can write its log to the database. */
const restMs = 300

/** Measures the server with a new database beside a bare server in the same run. */
export async function measureReceiving(kind: Kind, folder: string): Promise<void> {
  const databaseFile = join(folder, `${kind.name}.db`)
  const bare = await startProcess('./bare-smtp.ts')
  const server = await openServer(databaseFile)
  const measured: Round[] = []
  for (let round = 0; round <= rounds; round++) {
    const ours = await measureRound(server, kind, kind.count)
    await pause(restMs)
    measured.push({ ...ours, ...await measureBare(bare, kind) })
  }
  await bare.stop()
  const megabytes = server.megabytes()
  await server.stop()
  const diskBytes = (bytesOf(databaseFile) - await emptyBytes(folder)) / (measured.length * kind.count * mailBytes(kind))
  const [first, ...others] = measured
  printReceiving(kind, first!, others, { diskBytes, fsyncs: await measureFsyncs(kind, folder), megabytes })
}

async function measureBare({ pid, output }: Started, { mails, count }: Kind): Promise<Pick<Round, 'bare' | 'bareMs'>> {
  using threads = watchThreads(pid)
  const { seconds } = await runLoad({ port: portIn(output, 'smtp'), recipient: 'bench@mail.localhost', mails, count })
  return { bare: count / seconds, bareMs: sumOf(threads.take()) / count }
}

async function measureRound(server: BenchServer, kind: Kind, count: number): Promise<Omit<Round, 'bare' | 'bareMs'>> {
  const { id, address } = await server.newAddress()
  using threads = watchThreads(server.pid)
  using backlog = openBacklog(server.databaseFile)
  await server.loopDelayMs()
  const [{ startedAt, ackMs }, publishedAt] = await Promise.all([
    runLoad({ port: server.smtpPort, recipient: address, mails: kind.mails, count }),
    server.published(id, count, pollMs, kind.isRead ? readAlong(server, id) : undefined),
  ])
  await backlog.done()
  const drainedAt = Date.now()
  return {
    published: count / (publishedAt - startedAt) * 1000,
    drained: count / (drainedAt - startedAt) * 1000,
    ackMs,
    loopDelayMs: await server.loopDelayMs(),
    threads: new Map([...threads.take()].map(([name, ms]) => [name, ms / count])),
  }
}

/** @returns a function that reads one of ten mails which have come since its last call, and makes a search for every hundred */
function readAlong(server: BenchServer, addressId: string) {
  const [mailsPerRead, mailsPerSearch] = [10, 100]
  let [read, searched] = [0, 0]
  return async (total: number) => {
    const due = Math.floor(total / mailsPerRead) - read
    read += due
    if (due > 0) {
      const { data } = await server.get(`/emails?address_id=${addressId}&limit=${Math.min(100, due * mailsPerRead)}`)
      const chosen = (data as { id: string }[]).filter((_, i) => i % mailsPerRead === 0)
      await Promise.all(chosen.map(({ id }) => server.get(`/emails/${id}`)))
    }
    for (; searched < Math.floor(total / mailsPerSearch); searched++) await server.get('/emails?q=confirmation+code&limit=20')
  }
}

/** Counts in a server of its own, since the tracer delays it a little. */
async function measureFsyncs(kind: Kind, folder: string): Promise<number | undefined> {
  const fsyncs = countFsyncs(join(folder, `${kind.name}.strace`))
  if (!fsyncs) return undefined
  const server = await openServer(join(folder, `${kind.name}-traced.db`), {}, fsyncs.command)
  const count = Math.ceil(kind.count / 4)
  await measureRound(server, kind, count)
  const before = fsyncs.count()
  await measureRound(server, kind, count)
  const counted = fsyncs.count() - before
  await server.stop()
  return counted / count
}

let empty: Promise<number> | undefined

/** Bytes of a database without mail. */
const emptyBytes = (folder: string) => empty ??= (async () => {
  const file = join(folder, 'empty.db')
  const server = await openServer(file)
  await server.newAddress()
  await server.stop()
  return bytesOf(file)
})()

const bytesOf = (file: string) =>
  [file, `${file}-wal`].reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Average bytes of the mails, without the final dot. */
const mailBytes = (kind: Kind) => kind.mails.reduce((sum, name) => sum + sourceOf(name).length - '.\r\n'.length, 0) / kind.mails.length
