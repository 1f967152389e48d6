import { join } from 'node:path'
import { startChild, startProbe } from '../attack/children.ts'
import type { Child } from '../attack/children.ts'
import { openDns } from '../attack/dns.ts'
import { temporaryFolder } from '../attack/folder.ts'
import { showCounts, total } from '../attack/figures.ts'
import type { Sample } from '../attack/probe.ts'
import { openWorld } from '../attack/world.ts'
import type { World } from '../attack/world.ts'
import { measureCapacity } from './capacity.ts'
import type { LoadReport } from './load.ts'
import { defaultMinutes, loadShare, retentionSeconds, tenths, warmUpSeconds } from './plan.ts'
import { readServer } from './readings.ts'
import { compareTenths, printHead, printTenth } from './tenth.ts'
import type { Tenth } from './tenth.ts'

/** `npm run soak -- MINUTES`: runs a load below the server's capacity. Exit code 1 when figures grow from the second tenth to the last. */
const minutes = Number(process.argv[2] ?? defaultMinutes)
if (!(minutes >= 1 && minutes <= 24 * 60)) {
  console.error('npm run soak -- MINUTES takes 1 to 1440 minutes.')
  process.exit(2)
}
using dns = await openDns()
await using world = await openWorld(join(temporaryFolder('mayfly-soak-'), 'server'), {
  MAYFLY_DNS_SERVERS: dns.servers,
  MAYFLY_RATE_LIMIT: '1000000000',
  MAYFLY_RETENTION_SECONDS: String(retentionSeconds),
  MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true',
})
await using load = startChild(new URL('load.ts', import.meta.url), [JSON.stringify(world.target)])
await using probe = startProbe(world.target)
process.exitCode = await soak(world, load, probe) ? 0 : 1

/** @returns whether no figure has grown */
async function soak(world: World, load: Child, probe: Child): Promise<boolean> {
  const rate = loadShare * await measureCapacity(world, load)
  const secondsOfTenth = minutes * 60 / tenths
  console.log(`${minutes} minutes at ${rate.toFixed(0)} mails/s, ${loadShare * 100} % of it, after ${warmUpSeconds} s until as many mails are removed as arrive. Each tenth: ` +
    `readings at its end; p99 in ms of another account's requests and mails. less kept: the files without rows that are kept for days; ` +
    'MB of mail: also without free pages. timer: the delay that the machine adds, as in npm run attack.')
  await load.ask(rate)
  printHead()
  const shown: Tenth[] = []
  printTenth(await part('warm-up', warmUpSeconds))
  for (let i = 1; i <= tenths; i++) {
    shown.push(await part(`${i}`, secondsOfTenth))
    printTenth(shown.at(-1)!)
  }
  const { done, errors } = await load.ask<LoadReport>(0)
  console.log(`\ndone: ${showCounts(done)}\nerrors of the load: ${showCounts(errors)}`)
  const differences = compareTenths(shown[1]!, shown.at(-1)!, rate)
  console.log(differences.length === 0 ? 'PASS: flat' : `FAIL: ${differences.join('; ')}`)
  return differences.length === 0

  async function part(name: string, seconds: number): Promise<Tenth> {
    const before = await load.ask<LoadReport>('report')
    const start = performance.now()
    const sample = await probe.ask<Sample>(seconds * 1000)
    const after = await load.ask<LoadReport>('report')
    return {
      ...await readServer(world),
      name,
      mailsPerSecond: (after.mails - before.mails) / ((performance.now() - start) / 1000),
      errors: total(after.errors) - total(before.errors),
      sample,
    }
  }
}
