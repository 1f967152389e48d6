import { pause } from '../attack/attack.ts'
import type { Child } from '../attack/children.ts'
import type { World } from '../attack/world.ts'
import type { LoadReport } from './load.ts'
import { capacitySeconds, drainSeconds } from './plan.ts'
import { readServer } from './readings.ts'

/** Measures the mails per second that the server can take permanently: with the time for indexing, authenticating and removing them. */
export async function measureCapacity(world: World, load: Child): Promise<number> {
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1000
  const before = await load.ask<LoadReport>('unlimited')
  await pause(capacitySeconds * 1000)
  const { mails } = await load.ask<LoadReport>(0)
  const accepted = (mails - before.mails) / seconds()
  await untilIdle()
  const processed = (mails - before.mails) / seconds()
  await load.ask('replace all')
  await untilIdle()
  const capacity = (mails - before.mails) / seconds()
  console.log(`capacity: ${accepted.toFixed(0)} mails/s accepted in ${capacitySeconds} s, ${processed.toFixed(0)} mails/s ` +
    `with the time until they were indexed and authenticated, ${capacity.toFixed(0)} mails/s until they were removed, too`)
  return capacity

  async function untilIdle() {
    const end = seconds() + drainSeconds
    for (let isIdle = false; !isIdle && seconds() < end; await pause(250)) {
      const { dueJobs, unindexed, unremoved } = await readServer(world)
      isIdle = dueJobs + unindexed + unremoved === 0
    }
  }
}
