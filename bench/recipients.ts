import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openServer } from './bench-server.ts'
import type { BenchServer } from './bench-server.ts'
import { sourceOf } from './mails.ts'
import { median } from './rounds.ts'
import { openSmtp } from './smtp-client.ts'

/**
 * Compares the time of lists, waits and searches by a recipient: in an address with mail to 10,000 recipients, and in an address with one
 * mail. The calls alternate. Argument: the number of recipients.
 */
const recipients = Number(process.argv[2] ?? 10_000)
const calls = 300
const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
const servers: BenchServer[] = []

try {
  const [one, many] = [await receive('one', 1), await receive('many', recipients)]
  for (const [name, path] of [
    ['list', '/emails?limit=50&to='], ['wait', '/emails/wait?timeout=1&after=00000000-0000-7000-8000-000000000000&to='], ['search', '/emails?q=code&to='],
  ] as const) {
    const times: [number[], number[]] = [[], []]
    for (let i = 0; i < calls; i++) {
      for (const [at, server] of [one, many].entries()) {
        const begunAt = performance.now()
        const { data } = await server.get(path + (at === 0 ? recipientOf(0) : recipientOf(i * 31 % recipients)))
        times[at]!.push(performance.now() - begunAt)
        if ((Array.isArray(data) ? data.length : 1) !== 1) throw new Error(`${name}: not one email`)
      }
    }
    const [ofOne, ofMany] = times.map(median) as [number, number]
    console.log(`${name} by a recipient: ${ofMany.toFixed(2)} ms of ${recipients}, ${ofOne.toFixed(2)} ms of one, ratio ${(ofMany / ofOne).toFixed(2)}`)
  }
} finally {
  for (const server of servers) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

function recipientOf(i: number): string {
  return `user-${i}@customer.example`
}

async function receive(name: string, count: number): Promise<BenchServer> {
  const server = await openServer(join(folder, `${name}.db`), { MAYFLY_CATCH_ALL: 'dev' })
  servers.push(server)
  let next = 0
  await Promise.all(Array.from({ length: Math.min(count, 20) }, async () => {
    const client = await openSmtp(server.smtpPort)
    while (next < count) await client.send(recipientOf(next++), sourceOf('otp'))
    client.close()
  }))
  const { data: { addresses } } = await server.get('/addresses')
  const { id } = addresses.find(({ alias }: { alias: string }) => alias === 'dev')
  await server.published(id, count, 100)
  await server.get('/emails?q=code&limit=1') // all mail is in the index then
  return server
}
