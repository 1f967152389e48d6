import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../server/clock.ts'
import { isDatabaseUrl } from '../server/database-url.ts'
import { openDatabase, openEngine } from '../server/store/database.ts'
import type { Database } from '../server/store/database.ts'
import { openPostgres } from '../server/store/engines/postgres/open.ts'
import { openPublisher } from '../test/support/store/publisher.ts'
import { storedMails } from './storage-mails.ts'

/** A thread that publishes mails. A process compiles its queries for one engine, so each has a thread. */
export interface PublishingOptions {
  /** A file or a URL. */
  database: string
  /** Whether a statement waits for the answer to the one before it. */
  isAwaited?: boolean
}

/** @returns a function that publishes mails of 2 kB in groups, and returns how many there were a second */
export async function openPublishingThread(options: PublishingOptions): Promise<(count: number, groupSize: number) => Promise<number>> {
  const thread = new Worker(new URL(import.meta.url), { workerData: options })
  await once(thread, 'message')
  thread.unref()
  return async (count, groupSize) => {
    thread.ref()
    thread.postMessage([count, groupSize])
    const [rate] = await once(thread, 'message') as [number]
    thread.unref()
    return rate
  }
}

if (!isMainThread) await publishInThread(workerData as PublishingOptions)

async function publishInThread(options: PublishingOptions) {
  const publish = await openPublisher(await open(options), storedMails[0]!.source, `publisher-${process.hrtime.bigint()}`)
  parentPort!.on('message', ([count, groupSize]: [number, number]) => {
    const begun = performance.now()
    void (async () => {
      for (let published = 0; published < count; published += groupSize) await publish(groupSize)
      parentPort!.postMessage(count / (performance.now() - begun) * 1000)
    })()
  })
  parentPort!.postMessage('open')
}

function open({ database, isAwaited }: PublishingOptions): Promise<Database> {
  if (!isDatabaseUrl(database) || !isAwaited) return openDatabase(database, systemClock)
  return openEngine({ ...openPostgres(database), pipelines: false }, systemClock)
}
