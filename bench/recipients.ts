import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openServer } from './bench-server.ts'
import type { BenchServer } from './bench-server.ts'
import { sourceOf } from './mails.ts'
import { median } from './rounds.ts'
import { openSmtp } from './smtp-client.ts'

/**
 * Compares the time of lists, waits and searches by a recipient, which find one mail: in an address with mail to 10,000 recipients, in one
 * with as many mails to one recipient, and in one with one mail. The calls alternate. Argument: the number of recipients.
 */
const recipients = Number(process.argv[2] ?? 10_000)
const calls = 300
const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
const servers: BenchServer[] = []

try {
  const [mail, same, many] = [await receive('mail', 1), await receive('same', recipients, () => 0), await receive('many', recipients)]
  for (const [name, path] of [
    ['list', '/emails?limit=1&to='], ['wait', '/emails/wait?timeout=1&after=00000000-0000-7000-8000-000000000000&to='],
    ['search', '/emails?limit=1&q=code&to='],
  ] as const) {
    const times: number[][] = [[], [], []]
    for (let i = 0; i < calls; i++) {
      for (const [at, server] of [mail, same, many].entries()) {
        const begunAt = performance.now()
        const { data } = await server.get(path + recipientOf(server === many ? i * 31 % recipients : 0))
        times[at]!.push(performance.now() - begunAt)
        if ((Array.isArray(data) ? data.length : 1) !== 1) throw new Error(`${name}: not one email`)
      }
    }
    const [ofMail, ofSame, ofMany] = times.map(median) as [number, number, number]
    const ratioTo = (time: number) => `${time.toFixed(2)} ms (ratio ${(ofMany / time).toFixed(2)})`
    console.log(`${name}: ${ofMany.toFixed(2)} ms of ${recipients} recipients; of one recipient ${ratioTo(ofSame)}, of one mail ${ratioTo(ofMail)}`)
  }
} finally {
  for (const server of servers) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

function recipientOf(i: number): string {
  return `user-${i}@customer.example`
}

async function receive(name: string, count: number, recipient = (i: number) => i): Promise<BenchServer> {
  const server = await openServer(join(folder, `${name}.db`), { MAYFLY_CATCH_ALL: 'dev' })
  servers.push(server)
  let next = 0
  await Promise.all(Array.from({ length: Math.min(count, 20) }, async () => {
    const client = await openSmtp(server.smtpPort)
    while (next < count) await client.send(recipientOf(recipient(next++)), sourceOf('otp'))
    client.close()
  }))
  const { data: { addresses } } = await server.get('/addresses')
  const { id } = addresses.find(({ alias }: { alias: string }) => alias === 'dev')
  await server.published(id, count, 100)
  await server.get('/emails?q=code&limit=1') // all mail is in the index then
  return server
}
