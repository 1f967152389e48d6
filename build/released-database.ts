import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createTransport } from 'nodemailer'
import { openApp } from '../server/app.ts'
import type { RunningApp } from '../server/app.ts'
import { readConfig } from '../server/config/config.ts'
import { createAccount } from '../server/domain/accounts.ts'
import { createApiKey } from '../server/domain/api-keys.ts'
import { backUp } from '../server/store/copies.ts'
import { root } from './paths.ts'

/** Back-ups of all released versions, which test/store/released.test.ts restores, each named after its version. */
const releasedDatabases = join(root, 'test/store/released')

/** A mail above this size is stored in chunks while MAYFLY_MEMORY_BYTES has its minimum. */
const longMailBytes = 2_000_000

/** Keeps a back-up of a database that the current code has made: an account, a key, an address, received mail, and sent mail. */
export async function keepReleasedDatabase(version: string, kept = releasedDatabases): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-release-'))
  try {
    const database = join(folder, 'mayfly.db')
    const app = await openApp(readConfig({
      MAYFLY_DATABASE: database, MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0', MAYFLY_DNS_SERVERS: '127.0.0.1:9',
      MAYFLY_LOG_LEVEL: 'silent',
    }))
    try {
      await fill(app)
    } finally {
      await app.close()
    }
    const file = join(folder, 'backup.db')
    await backUp(database, file, { overwrite: false, minFreeBytes: 0, signal: new AbortController().signal })
    mkdirSync(kept, { recursive: true })
    writeFileSync(join(kept, `${version}.db.gz`), gzipSync(readFileSync(file), { level: 9 }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function fill(app: RunningApp) {
  await createAccount(app.db, 'team@released.example', 'business')
  const { key } = await createApiKey(app.db, { account: 'team@released.example', name: 'released', scopes: [], isTest: false })
  const post = async (path: string, body: unknown) => {
    const headers = { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${app.http.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json() as { data: { id: string, address: string } }).data
  }
  const { id, address } = await post('/addresses', { alias: 'released' })
  await post('/webhooks', { url: 'https://hooks.example.org/', events: ['email.received'] })
  const transport = createTransport({ host: '127.0.0.1', port: app.smtp.port, tls: { rejectUnauthorized: false } })
  const mail = { from: 'Shop <shop@example.org>', to: address }
  await transport.sendMail({
    ...mail, subject: 'Your code', text: 'Your code is 482913.', html: '<p>Your code is <b>482913</b>.</p>',
    attachments: [{ filename: 'terms.txt', content: 'These are the terms.' }],
  })
  await transport.sendMail({ ...mail, subject: 'A long mail', text: 'long '.repeat(longMailBytes / 5) })
  transport.close()
  await post('/emails', { fromAddressId: id, to: 'friend@example.net', subject: 'A reply', body: 'Thank you.' })
  await app.worker.settled()
}
