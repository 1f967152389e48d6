import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { systemClock } from '../server/clock.ts'
import { openDatabase } from '../server/store/database.ts'
import { mayfly } from '../test/cli/run.ts'
import { newAddress, startServer } from '../test/crash/server.ts'
import { runOnPostgres } from '../test/support/postgres.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { countArgument } from './count-argument.ts'
import { sourceOf } from './mails.ts'
import { sendMails } from './smtp-client.ts'

/**
 * `npm run bench -- account-move [COUNT]`: moves an account with that many mails (50,000 by default) to another database of a server,
 * while it receives mail and its addresses are listed: the time of the hold, and mail that was accepted and is not there.
 */
const count = countArgument(50_000)
const pauseMs = 20

const folders = ['a', 'b'].map(() => mkdtempSync(join(tmpdir(), 'mayfly-bench-')))
const postgres = await startPostgres({ isDurable: true })
await runOnPostgres(postgres.url('postgres'), 'create database cell_b')
const urls = [postgres.url('postgres'), postgres.url('cell_b')] as const
const variables = (i: 0 | 1) => ({ MAYFLY_LOG_LEVEL: 'silent', MAYFLY_RATE_LIMIT: '0', MAYFLY_DATABASE: urls[i] })
const source = await startServer(folders[0]!, variables(0))
const target = await startServer(folders[1]!, variables(1))
const db = await openDatabase(urls[0], systemClock, { migrate: false })
try {
  await mayfly(['account', 'create', '--email', 'large@bench.example'], variables(0))
  const key = (await mayfly(['key', 'create', '--account', 'large@bench.example', '--name', 'bench'], variables(0))).stdout.trim()
  const { address } = await newAddress(source.url, key)
  await sendMails({ port: source.smtpPort, recipient: address, sources: [sourceOf('otp')], count })
  while (await authenticated() < count) await pass(200)

  const load = { isMoved: false, accepted: 0, refused: 0, longestMs: 0, listed: 0, isOver: false }
  const running = Promise.all([send(address, load), list(key, load)])
  await pass(2_000)
  const startedAt = performance.now()
  const { stdout, stderr } = await mayfly(['move', '--account', 'large@bench.example', '--from', urls[0], '--to', urls[1], '--json'], variables(0))
  if (stdout === '') throw new Error(stderr)
  const seconds = (performance.now() - startedAt) / 1_000
  load.isMoved = true
  await pass(2_000)
  load.isOver = true
  await running
  await pass(2_000)
  const { total } = await (await fetch(`${target.url}/api/v1/emails?limit=1`, { headers: { authorization: `Bearer ${key}` } })).json() as { total: number }
  const { heldMs } = JSON.parse(stdout) as { heldMs: number }
  console.log(`${count} mails moved in ${seconds.toFixed(1)} s, held for ${(heldMs / 1_000).toFixed(1)} s; longest wait of a sender ${(load.longestMs / 1_000).toFixed(1)} s`)
  console.log(`${load.accepted} mails accepted meanwhile, ${load.refused} replies 451 or 550, ${load.listed} lists; lost or doubled: ${count + load.accepted - total}`)
} finally {
  for (const server of [source, target]) {
    server.child.kill('SIGTERM')
    await server.exited
  }
  await db.close()
  await postgres.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

async function authenticated(): Promise<number> {
  const { n } = await db.sql.selectFrom('authentications').select((row) => row.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return n
}

type Load = { isMoved: boolean, accepted: number, refused: number, longestMs: number, listed: number, isOver: boolean }

/** Sends one mail after the other, each until it is accepted. */
async function send(to: string, load: Load): Promise<void> {
  while (!load.isOver) {
    const begun = performance.now()
    for (;;) {
      const transport = createTransport({ host: '127.0.0.1', port: (load.isMoved ? target : source).smtpPort, tls: { rejectUnauthorized: false } })
      const isAccepted = await transport.sendMail({ from: 'shop@example.org', to, subject: 'load', text: 'text' }).then(() => true, () => false)
      transport.close()
      if (isAccepted) break
      load.refused++
      await pass(pauseMs)
    }
    load.accepted++
    load.longestMs = Math.max(load.longestMs, performance.now() - begun)
    await pass(pauseMs)
  }
}

async function list(key: string, load: Load): Promise<void> {
  while (!load.isOver) {
    const { status } = await fetch(`${(load.isMoved ? target : source).url}/api/v1/addresses`, { headers: { authorization: `Bearer ${key}` } })
    if (status === 200) load.listed++
    await pass(pauseMs)
  }
}
