import { setTimeout as pause } from 'node:timers/promises'
import { hostileMails } from '../test/support/hostile-mails.ts'
import { sendRaw } from '../test/support/send-raw.ts'
import type { BenchServer } from './bench-server.ts'
import { describeTimes } from './latency.ts'
import { runLoad } from './run-load.ts'

/** Measures the requests of others while invoices arrive as fast as the server takes them. */
export async function measureBesideInvoices(server: BenchServer): Promise<void> {
  const count = 500
  const { id, address } = await server.newAddress()
  await server.loopDelayMs()
  const times = await listDuring(server, async () => {
    await runLoad({ port: server.smtpPort, recipient: address, mails: ['invoice'], count })
    await server.published(id, count, 25)
  })
  console.log(`\nGET /addresses?limit=20 while ${count} invoices arrive at full rate, ${times.length} requests: ${describeTimes(times)}; ` +
    `longest delay of the event loop ${(await server.loopDelayMs()).toFixed(0)} ms`)
}

/** Measures the requests of others while hostile mails are parsed. */
export async function measureUnderAttack(server: BenchServer): Promise<void> {
  const { id, address } = await server.newAddress()
  const attack = hostileMails().map(({ source }) => Buffer.from(source))
  const before = server.megabytes().now
  const times = await listDuring(server, async () => {
    await Promise.all(attack.map((source) => sendRaw(server.smtpPort, address, source)))
    await server.published(id, attack.length, 25)
  })
  const peak = server.megabytes().now
  await pause(5_000)
  console.log(`\n${attack.length} hostile mails together: all published; other requests meanwhile (${times.length}): ${describeTimes(times)}; ` +
    `memory ${before} MB before, ${peak} MB at the end, ${server.megabytes().now} MB five seconds later`)
}

/** @returns the milliseconds of each request during `work` */
async function listDuring({ get }: BenchServer, work: () => Promise<void>): Promise<number[]> {
  const times: number[] = []
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      const start = performance.now()
      await get('/addresses?limit=20')
      times.push(performance.now() - start)
      await pause(5)
    }
  })()
  await work()
  isOver = true
  await others
  return times
}
