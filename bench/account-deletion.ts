import { Agent, request } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { systemClock } from '../server/clock.ts'
import { openDatabase } from '../server/store/database.ts'
import type { Schema } from '../server/store/schema/schema.ts'
import { mayfly } from '../test/cli/run.ts'
import { newAddress, startServer } from '../test/crash/server.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { countArgument } from './count-argument.ts'
import { sourceOf } from './mails.ts'
import { sendMails } from './smtp-client.ts'

/**
 * `npm run bench -- account-deletion [[COUNT] [--postgres]]`: measures how much the removal of a deleted account with many mails delays the
 * lists of another account.
 */
const count = countArgument(20_000)
const idleMs = 5_000

const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
const postgres = process.argv.includes('--postgres') ? await startPostgres({ isDurable: true }) : undefined
const variables = { MAYFLY_DATABASE: postgres?.url('postgres') ?? join(folder, 'mayfly.db') }
const email = 'large@bench.example'
const server = await startServer(folder, { MAYFLY_LOG_LEVEL: 'silent', ...variables })
const db = await openDatabase(variables.MAYFLY_DATABASE, systemClock, { migrate: false })
try {
  await mayfly(['account', 'create', '--email', email], variables)
  const key = (await mayfly(['key', 'create', '--account', email, '--name', 'bench'], variables)).stdout.trim()
  const { address } = await newAddress(server.url, key)
  const other = await newAddress(server.url, server.key)
  await sendMails({ port: server.smtpPort, recipient: other.address, sources: [sourceOf('otp')], count: 100 })
  await sendMails({ port: server.smtpPort, recipient: address, sources: [sourceOf('otp')], count })
  while (await rowsOf('authentications') < count + 100 || await rowsOf('email_search_pending') > 0) await pass(200)

  const end = performance.now() + idleMs
  report('idle', await listUntil(() => performance.now() > end))
  await mayfly(['account', 'delete', email, '--yes'], variables)
  const start = performance.now()
  let isOver = false
  const removed = (async () => {
    while (await rowsOf('accounts') > 1 || await rowsOf('discarded_messages') > 0) await pass(50)
    isOver = true
  })()
  const times = await listUntil(() => isOver)
  await removed
  report(`during the removal of ${count} mails, ${((performance.now() - start) / 1000).toFixed(1)} s`, times)
} finally {
  server.child.kill('SIGTERM')
  await server.exited
  await db.close()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function rowsOf(table: keyof Schema): Promise<number> {
  const { n } = await db.sql.selectFrom(table).select((row) => row.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return n
}

/** Lists the other account's mail, one request after the other. @returns the milliseconds of each */
async function listUntil(isEnough: () => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  while (!isEnough()) {
    const start = performance.now()
    await list(agent)
    times.push(performance.now() - start)
  }
  agent.destroy()
  return times
}

function list(agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.key}` }
    request(`${server.url}/api/v1/emails`, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`the list was answered ${answer.statusCode}`))
      answer.resume().once('end', resolve)
    }).once('error', reject).end()
  })
}

function report(name: string, times: number[]) {
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.ceil(times.length * share) - 1]!.toFixed(1)
  console.log(`${name}: ${times.length} lists, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`)
}
