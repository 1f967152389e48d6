import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { temporaryFolder } from '../test/attack/folder.ts'
import { sendMails } from '../test/crash/send-mails.ts'
import { newAddress, serveCommand, startServer } from '../test/crash/server.ts'
import { countArgument } from './count-argument.ts'

/**
 * `npm run bench -- backup 10000`: copies a database of that many mails while its server receives about 200 more a second: by
 * `mayfly backup`, which also starts Node and checks the copy, by SQLite's backup API with and without a snapshot, and by VACUUM INTO.
 * Prints the time, the size of the copy, the growth of the server's log, and the mails that were received meanwhile.
 */
const mails = countArgument(10_000)
const maxSeconds = 20
const folder = temporaryFolder('mayfly-bench-')
const database = join(folder, 'mayfly.db')
const target = join(folder, 'copy.db')

const server = await startServer(folder)
const { address: recipient } = await newAddress(server.url, server.key)
const accepted = new Set<string>()
const ending = new AbortController()
const connections = Array.from({ length: 20 }, (_, connection) => connection)
const send = (name: string, mailsOfConnection: number, pauseMs: number) => Promise.all(connections.map((connection) => sendMails({
  port: server.smtpPort, recipient, name: `${name} ${connection}`, bytes: () => 2_000, mails: mailsOfConnection, pauseMs,
  signal: ending.signal, accepted,
})))
await send('before', mails / connections.length, 0)
const load = send('meanwhile', Infinity, 100)
await pass(2_000)

const copiers = {
  'backup API, snapshot': `source.exec('begin'); source.prepare('select count(*) from accounts').get()
    await source.backup(target, { progress: () => 1024 })`,
  'backup API, no snapshot': `let last = Infinity, restarts = 0
    const end = performance.now() + ${maxSeconds * 1000}
    await source.backup(target, { progress: ({ remainingPages }) => {
      if (remainingPages > last) restarts++
      last = remainingPages
      if (performance.now() > end) throw new Error('not complete after ${maxSeconds} s, ' + restarts + ' restarts')
      return 1024
    } }).catch((error) => console.log(error.message))`,
  'VACUUM INTO': `source.exec("vacuum into '" + target + "'")`,
}
await measure('no copy', () => pass(3_000))
await measure('mayfly backup', () => promisify(execFile)(process.execPath, [serveCommand[0]!, 'backup', target], {
  env: { ...process.env, MAYFLY_DATABASE: database, MAYFLY_MIN_FREE_BYTES: '0' },
}))
for (const [name, code] of Object.entries(copiers)) {
  await measure(name, () => once(new Worker(`(async () => {
    const { database, target } = require('node:worker_threads').workerData
    const source = new (require('better-sqlite3'))(database, { readonly: true })
    ${code}
    source.close()
  })()`, { eval: true, workerData: { database, target } }), 'exit'))
}
ending.abort()
await load
server.child.kill('SIGTERM')
await server.exited

async function measure(name: string, copy: () => Promise<unknown>) {
  rmSync(target, { force: true })
  const megabytesOf = (file: string) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1e6
  const before = { mails: accepted.size, log: megabytesOf(`${database}-wal`), at: performance.now() }
  await copy()
  const seconds = (performance.now() - before.at) / 1000
  console.log(`${name.padEnd(24)} ${seconds.toFixed(2)} s, copy ${megabytesOf(target).toFixed(0)} MB, `
    + `log ${(megabytesOf(`${database}-wal`) - before.log).toFixed(1)} MB more, ${Math.round((accepted.size - before.mails) / seconds)} mails a second`)
  await pass(2_000)
}
