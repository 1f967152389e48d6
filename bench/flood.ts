import { join } from 'node:path'
import { openServer } from './bench-server.ts'
import { runLoad } from './run-load.ts'

const count = 200
/** The server limits the sessions of one address. */
const localAddresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']

/** Measures the memory of the server while 200 mails of 25 MB arrive together. */
export async function measureFlood(folder: string): Promise<void> {
  const server = await openServer(join(folder, 'flood.db'))
  const { id, address } = await server.newAddress()
  const before = server.megabytes().now
  const { seconds } = await runLoad({ port: server.smtpPort, recipient: address, mails: ['large'], count, connections: count, localAddresses })
  await server.published(id, count, 250)
  console.log(`\n${count} mails of 25 MB together: all published, accepted in ${seconds.toFixed(0)} s; ` +
    `memory ${before} MB before, ${server.megabytes().max} MB at most`)
  await server.stop()
}
