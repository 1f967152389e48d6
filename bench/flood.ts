import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../server/config/config.ts'
import { openServer } from './bench-server.ts'
import { runLoad } from './run-load.ts'

const count = 200
/** The server limits the sessions of one address. */
const localAddresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']
/** Megabytes of the server beside its memory for mail. */
const restMegabytes = 150
/** Time for each of the mails to be shown, after all are accepted. */
const publishMs = 2_000

/** Measures the memory of the server while 200 mails of 25 MB arrive together. Fails when it is above the limit, or a mail is lost. */
export async function measureFlood(folder: string): Promise<void> {
  const server = await openServer(join(folder, 'flood.db'))
  const { id, address } = await server.newAddress()
  const before = server.megabytes().now
  const { seconds } = await runLoad({ port: server.smtpPort, recipient: address, mails: ['large'], count, connections: count, localAddresses })
  await Promise.race([server.published(id, count, 250), pause(publishMs * count, undefined, { ref: false })])
  const { total } = await server.get(`/emails?address_id=${id}&limit=1`)
  const { max } = server.megabytes()
  const limit = Math.round(readConfig({}).memoryBytes / 1024 / 1024) + restMegabytes
  console.log(`\n${count} mails of 25 MB together: accepted in ${seconds.toFixed(0)} s, ${count - total} lost; ` +
    `memory ${before} MB before, ${max} MB at most, limit ${limit} MB`)
  if (total < count || max > limit) process.exitCode = 1
  await server.stop()
}
