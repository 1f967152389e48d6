import { pause } from '../attack/attack.ts'
import type { Child } from '../attack/children.ts'
import type { World } from '../attack/world.ts'
import type { LoadReport } from './load.ts'
import { capacitySeconds, drainSeconds } from './plan.ts'
import { readServer } from './readings.ts'

/** Measures the mails per second that the server can take permanently, including the time for indexing and authenticating them. */
export async function measureCapacity(world: World, load: Child): Promise<number> {
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1000
  const before = await load.ask<LoadReport>('unlimited')
  await pause(capacitySeconds * 1000)
  const { mails } = await load.ask<LoadReport>(0)
  const accepted = (mails - before.mails) / seconds()
  for (;;) {
    const { dueJobs, unindexed } = await readServer(world)
    if (dueJobs + unindexed === 0 || seconds() > capacitySeconds + drainSeconds) break
    await pause(250)
  }
  const capacity = (mails - before.mails) / seconds()
  console.log(`capacity: ${accepted.toFixed(0)} mails/s accepted in ${capacitySeconds} s, ${capacity.toFixed(0)} mails/s ` +
    'with the time until they were indexed and authenticated')
  return capacity
}
