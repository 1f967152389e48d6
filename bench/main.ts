import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Mayfly } from '@mayfly-mail/sdk'
import { hostileMails } from '../test/support/hostile-mails.ts'
import { sendRaw } from '../test/support/send-raw.ts'
import { openHttp } from './http-load.ts'
import { mails } from './mails.ts'
import { portIn, startProcess, startServer } from './processes.ts'
import { compare, inParallel } from './rounds.ts'
import { openSmtp, sendMany } from './smtp-load.ts'

/** Measures the server beside bare servers in the same run, and prints the ratios. */
const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
const databaseFile = join(folder, 'mayfly.db')
const mayfly = await startServer(databaseFile)
const [httpPort, smtpPort] = [portIn(mayfly.output, 'http'), portIn(mayfly.output, 'smtp')]
const key = /svc_live_\w+/.exec(mayfly.output)![0]
const { get, call, close } = openHttp(key)
try {
  await measureReceiving()
  await measureReading()
  await measureLatency()
  await measureWaiting()
  await measureUnderAttack()
} finally {
  close()
  await mayfly.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measureReceiving() {
  const bare = await startProcess('./bare-smtp.ts')
  const barePort = portIn(bare.output, 'smtp')
  console.log('mails accepted and published a second, 20 connections')
  for (const { name, source, count } of mails) {
    const recipient = await newAddress()
    let sent = 0
    const ours = async () => {
      sent += count
      await sendMany(smtpPort, recipient.address, source, count)
      await published(recipient.id, sent)
    }
    await compare(name, count, ours, () => sendMany(barePort, recipient.address, source, count), 'bare smtp-server that discards',
      () => authenticated(recipient.id).then(indexed))
  }
  await bare.stop()
}

async function measureReading() {
  for (let i = 0; i < 100; i++) await newAddress()
  const bare = await startProcess('./bare-http.ts', [], { MAYFLY_DATABASE: databaseFile, BENCH_KEY: key })
  const barePort = portIn(bare.output, 'http')
  console.log('\nGET /api/v1/addresses?limit=20 a second, 20 connections')
  const count = 4_000
  const load = (port: number) => inParallel(20, count, () => get(port, '/api/v1/addresses?limit=20'))
  await compare('listing', count, () => load(httpPort), () => load(barePort), 'bare node:http, same key look-up and SQL')
  await bare.stop()
}

async function measureLatency() {
  const recipient = await newAddress()
  const client = await openSmtp(smtpPort)
  const times: number[] = []
  for (let i = 1; i <= 300; i++) {
    let sentAt = 0
    await client.send(recipient.address, mails[0]!.source, () => { sentAt = performance.now() })
    await published(recipient.id, i)
    times.push(performance.now() - sentAt)
    await pause(10)
  }
  client.close()
  console.log(`\nfrom final dot to visible, idle server, ${times.length} mails: ${percentiles(times)}`)
}

async function measureWaiting() {
  const sdk = new Mayfly({ apiKey: key, baseUrl: `http://127.0.0.1:${httpPort}` })
  const inbox = await sdk.addresses.create()
  const client = await openSmtp(smtpPort)
  const [woken, read]: number[][] = [[], []]
  for (let i = 0; i < 200; i++) {
    let returnedAt = 0
    const waiting = sdk.emails.waitFor({ addressId: inbox.id }).finally(() => { returnedAt = performance.now() })
    await pause(20) // until the server has the request
    await client.send(inbox.address, mails[0]!.source)
    const acceptedAt = performance.now()
    const { id } = await waiting
    woken!.push(returnedAt - acceptedAt)
    const start = performance.now()
    await sdk.emails.get(id)
    read!.push(performance.now() - start)
  }
  client.close()
  console.log(`\nfrom 250 to the end of a waitFor that was there before (less than 0: earlier than the 250), ${woken!.length} mails: ${percentiles(woken!)}; ` +
    `a plain get of the same emails: ${percentiles(read!)}`)
}

async function measureUnderAttack() {
  const recipient = await newAddress()
  const attack = hostileMails().map(({ source }) => Buffer.from(source))
  const before = residentMegabytes()
  let isOver = false
  const times: number[] = []
  const others = (async () => {
    while (!isOver) {
      const start = performance.now()
      await get(httpPort, '/api/v1/addresses?limit=20')
      times.push(performance.now() - start)
      await pause(5)
    }
  })()
  await Promise.all(attack.map((source) => sendRaw(smtpPort, recipient.address, source)))
  await published(recipient.id, attack.length)
  isOver = true
  await others
  const peak = residentMegabytes()
  await pause(5_000)
  console.log(`\n${attack.length} hostile mails together: all published; other requests meanwhile (${times.length}): ${percentiles(times)}; ` +
    `memory ${before} MB before, ${peak} MB at the end, ${residentMegabytes()} MB five seconds later`)
}

function residentMegabytes() {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${mayfly.pid}/status`, 'utf8'))![1]) / 1024)
}

function percentiles(times: number[]) {
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.ceil(times.length * share) - 1]!.toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
}

function pause(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

async function published(addressId: string, count: number) {
  for (;;) {
    const { total } = JSON.parse(await get(httpPort, `/api/v1/emails?address_id=${addressId}&limit=1`)) as { total: number }
    if (total >= count) return
    if (count > 1000) await pause(5)
  }
}

async function authenticated(addressId: string) {
  const list = await get(httpPort, `/api/v1/emails?address_id=${addressId}&limit=1`)
  const { data: [newest] } = JSON.parse(list) as { data: { id: string }[] }
  for (;;) {
    const { data } = JSON.parse(await get(httpPort, `/api/v1/emails/${newest!.id}`)) as { data: { authentication: unknown } }
    if (data.authentication) return
    await pause(20)
  }
}

/** Waits until the search index has all mail. */
async function indexed() {
  const database = new Sqlite(databaseFile, { readonly: true })
  const waiting = database.prepare('select 1 from email_search_pending limit 1')
  while (waiting.get()) await pause(20)
  database.close()
}

async function newAddress() {
  const answer = await call(httpPort, 'POST', '/api/v1/addresses', '{}')
  return (JSON.parse(answer) as { data: { id: string, address: string } }).data
}
