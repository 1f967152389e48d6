import type { BenchServer } from './bench-server.ts'
import { openHttp } from './http-load.ts'
import { portIn, startProcess } from './processes.ts'
import { compare, inParallel } from './rounds.ts'

/** Measures a list of addresses beside a bare server with the same look-ups. */
export async function measureListing({ newAddress, databaseFile, httpPort, key }: BenchServer): Promise<void> {
  for (let i = 0; i < 100; i++) await newAddress()
  const bare = await startProcess('./bare-http.ts', [], { MAYFLY_DATABASE: databaseFile, BENCH_KEY: key })
  const { get, close } = openHttp(key)
  console.log('\nGET /api/v1/addresses?limit=20 a second, 20 connections')
  const count = 4_000
  const load = (port: number) => inParallel(20, count, () => get(port, '/api/v1/addresses?limit=20'))
  await compare('listing', count, () => load(httpPort), () => load(portIn(bare.output, 'http')), 'bare node:http, same key look-up and SQL')
  close()
  await bare.stop()
}
