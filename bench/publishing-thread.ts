import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../server/clock.ts'
import { isDatabaseUrl } from '../server/config/database-url.ts'
import { openDatabase, openEngine } from '../server/store/database.ts'
import type { Engine } from '../server/store/engine.ts'
import { openPostgres } from '../server/store/engines/postgres/open.ts'
import { openSqlite } from '../server/store/engines/sqlite/open.ts'
import { openPublisher } from '../test/support/store/publisher.ts'
import { median } from './rounds.ts'
import { storedMails } from './storage-mails.ts'

/** A thread that publishes mails. A process compiles its queries for one engine, so each has a thread. */
export interface PublishingOptions {
  /** A file or a URL. */
  database: string
  /** Whether a statement waits for the answer to the one before it. */
  isAwaited?: boolean
  /** Accounts, each with an address, which get the mails in turn; 1 by default. */
  accounts?: number
}

export interface PublishingFigures {
  mailsASecond: number
  /** The median time from the lock of the end of a group to the answer to its commit: in it no other node can end a group. */
  endMs: number
  /** The least of these times: other work on the machine did not delay it. */
  minEndMs: number
  /** Processor time of the thread for a mail. */
  processorMs: number
}

/** Publishes mails of 2 kB in groups. */
export type PublishMails = (count: number, groupSize: number) => Promise<PublishingFigures>

export async function openPublishingThread(options: PublishingOptions): Promise<PublishMails> {
  const thread = new Worker(new URL(import.meta.url), { workerData: options })
  await once(thread, 'message')
  thread.unref()
  return async (count, groupSize) => {
    thread.ref()
    thread.postMessage([count, groupSize])
    const [figures] = await once(thread, 'message') as [PublishingFigures]
    thread.unref()
    return figures
  }
}

if (!isMainThread) await publishInThread(workerData as PublishingOptions)

async function publishInThread(options: PublishingOptions) {
  await (await openDatabase(options.database, systemClock)).close() // makes the file
  const engine = openEngineOf(options)
  const ends: number[] = []
  let endBegunAt = 0
  const { lockEnd } = engine.locks
  engine.locks = {
    ...engine.locks,
    lockEnd(at) {
      endBegunAt = performance.now()
      return lockEnd(at)
    },
  }
  const db = await openEngine(engine, systemClock)
  db.commits.on('committed', () => ends.push(performance.now() - endBegunAt))
  const publish = await openPublisher(db, storedMails[0]!.source, `publisher-${process.hrtime.bigint()}`, options.accounts)
  parentPort!.on('message', ([count, groupSize]: [number, number]) => {
    const begun = performance.now()
    const processorTime = process.threadCpuUsage()
    ends.length = 0
    void (async () => {
      for (let published = 0; published < count; published += groupSize) await publish(groupSize)
      const mailsASecond = count / (performance.now() - begun) * 1000
      const { user, system } = process.threadCpuUsage(processorTime)
      const processorMs = (user + system) / 1_000 / count
      parentPort!.postMessage({ mailsASecond, endMs: median(ends), minEndMs: Math.min(...ends), processorMs } satisfies PublishingFigures)
    })()
  })
  parentPort!.postMessage('open')
}

function openEngineOf({ database, isAwaited = false }: PublishingOptions): Engine {
  return isDatabaseUrl(database) ? { ...openPostgres(database, null), pipelines: !isAwaited } : openSqlite(database)
}
