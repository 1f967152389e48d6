import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { mayfly, start } from '../test/cli/run.ts'
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
/** Mails that are sent over SMTP; the others are copies of their rows. */
const sent = Math.min(count, 500)

const folders = ['a', 'b'].map(() => mkdtempSync(join(tmpdir(), 'mayfly-bench-')))
const postgres = await startPostgres({ isDurable: true })
await runOnPostgres(postgres.url('postgres'), 'create database cell_b')
const urls = [postgres.url('postgres'), postgres.url('cell_b')] as const
const variables = (i: 0 | 1) => ({ MAYFLY_LOG_LEVEL: 'silent', MAYFLY_RATE_LIMIT: '0', MAYFLY_DATABASE: urls[i] })
const source = await startServer(folders[0]!, variables(0))
const target = await startServer(folders[1]!, variables(1))
try {
  await mayfly(['account', 'create', '--email', 'large@bench.example'], variables(0))
  const key = (await mayfly(['key', 'create', '--account', 'large@bench.example', '--name', 'bench'], variables(0))).stdout.trim()
  const { address } = await newAddress(source.url, key)
  await sendMails({ port: source.smtpPort, recipient: address, sources: [sourceOf('otp'), sourceOf('newsletter')], count: sent })
  while (await rowsOf(source, 'authentications') < sent) await pass(200)
  await runOnPostgres(urls[0], ...multiplied(Math.ceil(count / sent) - 1))
  const before = await mailsAt(source)

  const load = { isMoved: false, accepted: [] as string[], refused: 0, maxWaitMs: 0, listed: 0, isOver: false }
  const running = Promise.all([send(address, load), list(key, load)])
  running.catch(() => {}) // it is awaited below
  await pass(2_000)
  const startedAt = performance.now()
  const move = ['move', '--account', 'large@bench.example', '--from', urls[0], '--to', urls[1], '--json']
  const { stdout, stderr } = await start(move, variables(0)).ended // without the time limit of mayfly()
  if (stdout === '') throw new Error(stderr)
  const seconds = (performance.now() - startedAt) / 1_000
  load.isMoved = true
  await pass(2_000)
  load.isOver = true
  await running
  await pass(2_000)
  const { heldMs } = JSON.parse(stdout) as { heldMs: number }
  const after = await mailsAt(target)
  const arrived = [...after].filter(([id]) => !before.has(id)).map(([, subject]) => subject)
  const isLost = { id: (id: string) => !after.has(id), subject: (subject: string) => !arrived.includes(subject) }
  const lost = [...before.keys()].filter(isLost.id).length + load.accepted.filter(isLost.subject).length
  const doubled = arrived.length - new Set(arrived).size
  console.log(`${before.size} mails moved in ${seconds.toFixed(1)} s, held for ${(heldMs / 1_000).toFixed(1)} s; longest wait of a sender ${(load.maxWaitMs / 1_000).toFixed(1)} s`)
  console.log(`${load.accepted.length} mails accepted meanwhile, ${load.refused} replies 451 or 550, ${load.listed} lists; lost: ${lost}, doubled: ${doubled}`)
} finally {
  for (const server of [source, target]) {
    server.child.kill('SIGTERM')
    await server.exited
  }
  await postgres.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** The subjects of all emails by their ids. */
async function mailsAt(server: typeof source): Promise<Map<string, string>> {
  const rows = await runOnPostgres(urls[server === source ? 0 : 1], 'select emails.id, subject from emails join messages on messages.id = message_id')
  return new Map(rows.map((row) => [row['id'] as string, row['subject'] as string]))
}

async function rowsOf(server: typeof source, table: string): Promise<number> {
  const [row] = await runOnPostgres(urls[server === source ? 0 : 1], `select count(*)::int as n from ${table}`)
  return row!['n'] as number
}

/** Statements that add copies of all mail, with events and audit records. */
function multiplied(copies: number): string[] {
  const copyOf = (column: string) => `left(${column}, 30) || lpad(to_hex(i), 6, '0')`
  const from = `cross join generate_series(1, ${copies}) as copies (i)`
  return [
    `create temp table new_messages as select messages.*, i from messages ${from}`,
    `update new_messages set id = ${copyOf('id')}`,
    'alter table new_messages drop column i',
    'insert into messages select * from new_messages',
    `insert into message_chunks select ${copyOf('message_id')}, seq, bytes from message_chunks ${from}`,
    `insert into authentications select ${copyOf('message_id')}, results, arc from authentications ${from}`,
    `insert into emails (id, account_id, mode, address_id, message_id, type, recipient, received_at, seq)
      select ${copyOf('id')}, account_id, mode, address_id, ${copyOf('message_id')}, type, recipient, received_at, seq - 1000 * i from emails ${from}`,
    `insert into outbox (id, account_id, mode, event, data, created_at)
      select ${copyOf('id')}, account_id, mode, 'email.deleted', data, created_at from outbox ${from}`,
    `insert into audit_logs (id, account_id, mode, action, method, path, status, ip_address, created_at, call_count)
      select id, account_id, mode, 'emails.list', 'GET', '/emails', 200, '', received_at, 1 from emails`,
  ]
}

type Load = { isMoved: boolean, accepted: string[], refused: number, maxWaitMs: number, listed: number, isOver: boolean }

/** Sends one mail after the other, each with a subject of its own and until it is accepted. */
async function send(to: string, load: Load): Promise<void> {
  while (!load.isOver) {
    const begun = performance.now()
    const subject = `load ${load.accepted.length}`
    for (;;) {
      const transport = createTransport({ host: '127.0.0.1', port: (load.isMoved ? target : source).smtpPort, tls: { rejectUnauthorized: false } })
      const isAccepted = await transport.sendMail({ from: 'shop@example.org', to, subject, text: 'text' }).then(() => true, () => false)
      transport.close()
      if (isAccepted) break
      load.refused++
      await pass(pauseMs)
    }
    load.accepted.push(subject)
    load.maxWaitMs = Math.max(load.maxWaitMs, performance.now() - begun)
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
