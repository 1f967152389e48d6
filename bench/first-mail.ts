import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Mayfly } from '@mayfly-mail/sdk'
import { sourceOf } from './mails.ts'
import { portIn, startServer } from './processes.ts'
import { median, rounds } from './rounds.ts'
import { openSmtp } from './smtp-client.ts'

/**
 * Measures the first mail of a server that was idle for a second after its start, beside the tenth: from the connection to the end of a
 * wait for it, in a mailbox that was there before.
 */
const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
const [firsts, tenths]: number[][] = [[], []]

try {
  for (let round = 0; round <= rounds; round++) { // the first round only fills the caches
    const times = await mailsOf(`round-${round}`)
    if (round === 0) continue
    firsts!.push(times[0]!)
    tenths!.push(times[9]!)
  }
  const [first, tenth] = [median(firsts!), median(tenths!)]
  console.log(`first mail ${first.toFixed(1)} ms, tenth mail ${tenth.toFixed(1)} ms, ratio ${(first / tenth).toFixed(1)}, medians of ${rounds} starts`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function mailsOf(name: string): Promise<number[]> {
  const started = await startServer(join(folder, `${name}.db`))
  const sdk = new Mayfly({ apiKey: /svc_live_\w+/.exec(started.output)![0], baseUrl: `http://127.0.0.1:${portIn(started.output, 'http')}` })
  await pause(1_000)
  const { id, address } = await sdk.addresses.create()
  const times: number[] = []
  for (let i = 0; i < 10; i++) {
    const waiting = sdk.emails.waitFor({ addressId: id })
    await pause(100)
    const begunAt = performance.now()
    const client = await openSmtp(portIn(started.output, 'smtp'))
    await client.send(address, sourceOf('otp'))
    await waiting
    times.push(performance.now() - begunAt)
    client.close()
  }
  await started.stop()
  return times
}
