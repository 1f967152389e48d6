import { Agent, request } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { mayfly } from '../test/cli/run.ts'
import { newAddress, startServer } from '../test/crash/server.ts'
import { openDatabaseFile } from '../test/support/store/database-files.ts'
import { sourceOf } from './mails.ts'
import { sendMails } from './smtp-client.ts'

/** Measures how much the removal of a deleted account with many mails delays the lists of another account. */
const count = Number(process.argv[2] ?? 20_000)
const idleMs = 5_000

const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
const variables = { MAYFLY_DATABASE: join(folder, 'mayfly.db') }
const email = 'large@bench.example'
const server = await startServer(folder, { MAYFLY_LOG_LEVEL: 'silent' })
const file = openDatabaseFile(variables.MAYFLY_DATABASE)
try {
  await mayfly(['account', 'create', '--email', email], variables)
  const key = (await mayfly(['key', 'create', '--account', email, '--name', 'bench'], variables)).stdout.trim()
  const { address } = await newAddress(server.url, key)
  const other = await newAddress(server.url, server.key)
  await sendMails({ port: server.smtpPort, recipient: other.address, sources: [sourceOf('otp')], count: 100 })
  await sendMails({ port: server.smtpPort, recipient: address, sources: [sourceOf('otp')], count })
  const isSettled = () => file.count('authentications') === count + 100 && file.count('email_search_pending') === 0
  while (!isSettled()) await pass(200)

  const end = performance.now() + idleMs
  report('idle', await listUntil(() => performance.now() > end))
  await mayfly(['account', 'delete', email, '--yes'], variables)
  const start = performance.now()
  let isOver = false
  const removed = (async () => {
    while (file.count('accounts') > 1 || file.count('discarded_messages') > 0) await pass(50)
    isOver = true
  })()
  const times = await listUntil(() => isOver)
  await removed
  report(`during the removal of ${count} mails, ${((performance.now() - start) / 1000).toFixed(1)} s`, times)
} finally {
  server.child.kill('SIGTERM')
  await server.exited
  file[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
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
