import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { temporaryFolder } from '../test/attack/folder.ts'
import { openTestApp } from '../test/support/app.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { countRows } from '../test/support/store/rows.ts'
import { countArgument } from './count-argument.ts'
import { sourceOf } from './mails.ts'
import { sendMails } from './smtp-client.ts'

/**
 * `npm run bench -- purge [[COUNT] [--postgres]]`: measures the delay that the removal of old mail adds for others: the time of the
 * transaction of a step, with its flush, and the time for which the answering thread is blocked. The file of SQLite must not grow from
 * round to round: new mail reuses the free pages.
 */
const [short, long] = [countArgument(20_000), 200]
const rounds = 3

const postgres = process.argv.includes('--postgres') ? await startPostgres({ isDurable: true }) : undefined
const app = await openTestApp({ database: postgres?.url('postgres') ?? join(temporaryFolder('mayfly-bench-'), 'mayfly.db') })
const { db } = app.app
const held = timeCommits()
const loop = monitorEventLoopDelay({ resolution: 1 })
loop.enable()
try {
  console.log(`${short} mails of 2 kB and ${long} of 300 kB become old, ${rounds} times`)
  for (let round = 1; round <= rounds; round++) {
    const { address } = await app.newAddress()
    await sendMails({ port: app.smtp.port, recipient: address, sources: [sourceOf('otp')], count: short })
    await sendMails({ port: app.smtp.port, recipient: address, sources: [sourceOf('invoice')], count: long })
    await app.settled()
    await until(async () => await countRows(app, 'email_search_pending') === 0)
    const bytes = db.engine.file?.bytes().data
    held.length = 0
    loop.reset()
    const start = performance.now()
    await app.advance({ days: 7, minutes: 1 })
    await until(async () => await countRows(app, 'messages') === 0)
    const seconds = (performance.now() - start) / 1000
    held.sort((a, b) => a - b)
    const at = (share: number) => held[Math.ceil(held.length * share) - 1]!.toFixed(1)
    console.log(`  ${held.length} steps in ${seconds.toFixed(1)} s: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms; longest stand-still ` +
      `${(loop.max / 1e6).toFixed(1)} ms${bytes ? `; file ${megabytes(bytes)} MB, of which ${megabytes(db.engine.file!.freeBytes())} MB are free then` : ''}`)
  }
} finally {
  await app[Symbol.asyncDispose]()
  await postgres?.stop()
}

/** @returns the milliseconds that each transaction of this thread took, from its first statement to the end of its commit */
function timeCommits(): number[] {
  const { commit } = db
  const times: number[] = []
  db.commit = async (work) => {
    let begun = 0
    const result = await commit((tx) => {
      begun = performance.now()
      return work(tx)
    })
    times.push(performance.now() - begun)
    return result
  }
  return times
}

async function until(isSo: () => Promise<boolean>) {
  while (!await isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}

function megabytes(bytes: number) {
  return (bytes / 1e6).toFixed(0)
}
