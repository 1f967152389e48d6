import { join } from 'node:path'
import { temporaryFolder } from '../test/attack/folder.ts'
import { openPostgresProxy } from '../test/support/postgres-proxy.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { openPublishingThread } from './publishing-thread.ts'
import type { PublishingOptions, PublishMails } from './publishing-thread.ts'
import { describeRatios, measureInTurn, median, rounds } from './rounds.ts'

/**
 * `npm run bench -- postgres [ROUNDS]`: mails that are published in groups, in SQLite and in PostgreSQL on this machine, which both flush
 * each commit to the disk. Statements wait for one another, or are sent together; directly, or with answers that come 1 and 5 ms later.
 * The end of a group is the time in which its node has the lock that orders the commits of all nodes, with the delay of the answer.
 */
const groupSizes = [1, 16, 64]
const mailsOf = (groupSize: number) => groupSize === 1 ? 100 : 512
const delaysMs = [1, 5]

const server = await startPostgres({ isDurable: true })
const proxies = await Promise.all(delaysMs.map((delayMs) => openPostgresProxy(new URL(server.url('postgres')), { delayMs })))
const url = server.url('postgres')
const ways: Record<string, PublishingOptions> = {
  'SQLite': { database: join(temporaryFolder('mayfly-bench-'), 'mayfly.db') },
  'PostgreSQL, statements awaited': { database: url, isAwaited: true },
  'PostgreSQL': { database: url },
  ...Object.fromEntries(proxies.flatMap(({ url: database }, i) => [
    [`PostgreSQL at ${delaysMs[i]} ms, statements awaited`, { database, isAwaited: true }],
    [`PostgreSQL at ${delaysMs[i]} ms`, { database }],
  ])),
}
const names = Object.keys(ways)
try {
  const threads: PublishMails[] = []
  for (const options of Object.values(ways)) threads.push(await openPublishingThread(options))
  for (const groupSize of groupSizes) {
    const ends = threads.map((): number[] => [])
    const rates = await measureInTurn(threads.map((publish, i) => async () => {
      const { mailsASecond, endMs } = await publish(mailsOf(groupSize), groupSize)
      ends[i]!.push(endMs)
      return mailsASecond
    }))
    console.log(`\n${mailsOf(groupSize)} mails of 2 kB, ${groupSize} in a commit, ${rounds} rounds`)
    for (const [i, name] of names.entries()) {
      console.log(`  ${name.padEnd(40)} ${median(rates[i]!).toFixed(0).padStart(6)} a second; of SQLite ${describeRatios(rates[i]!, rates[0]!, 3)}; `
        + `end of a group ${median(ends[i]!).toFixed(1)} ms`)
    }
  }
} finally {
  for (const proxy of proxies) await proxy.close()
  await server.stop()
}
process.exit() // the threads have connections
