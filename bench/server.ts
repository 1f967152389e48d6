import { join } from 'node:path'
import { temporaryFolder } from '../test/attack/folder.ts'
import { openServer } from './bench-server.ts'
import type { BenchServer } from './bench-server.ts'
import { measureFlood } from './flood.ts'
import { measureLatency, measureWaiting } from './latency.ts'
import { measureListing } from './listing.ts'
import { kinds, measureReceiving } from './receiving.ts'
import { measureBesideInvoices, measureUnderAttack } from './under-load.ts'

/** `npm run bench -- server [ROUNDS] [PART…]`: measures the server beside bare servers in the same run. */
const folder = temporaryFolder('mayfly-bench-')
const parts: Record<string, () => Promise<void>> = {
  ...Object.fromEntries(kinds.map((kind) => [kind.name, () => measureReceiving(kind, folder)])),
  'listing': withServer(measureListing),
  'latency': withServer(measureLatency),
  'waiting': withServer(measureWaiting),
  'beside-invoices': withServer(measureBesideInvoices),
  'attack': withServer(measureUnderAttack),
  'flood': () => measureFlood(folder),
}
/** Runs only when it is named: it writes 5 GB. */
const large = 'flood'
const names = process.argv.slice(2).filter((argument) => !/^\d+$/.test(argument))
const unknown = names.filter((name) => !parts[name])
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts are ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}
for (const [name, measure] of Object.entries(parts)) if (names.length === 0 ? name !== large : names.includes(name)) await measure()

function withServer(measure: (server: BenchServer) => Promise<void>) {
  return async () => {
    const server = await openServer(join(folder, `${measure.name}.db`))
    await measure(server)
    await server.stop()
  }
}
