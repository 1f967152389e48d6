import { expect } from 'chai'
import { systemClock } from '../../server/clock.ts'
import type { Clock } from '../../server/clock.ts'
import { testClock } from '../support/clock.ts'
import { openNodes } from '../support/nodes.ts'
import { newPostgresDatabase } from '../support/postgres.ts'
import { openServer } from '../support/app.ts'

/** The clock of a machine that is wrong. */
const clockOff = (ms: number): Clock => ({
  isOfMachine: true,
  now: () => systemClock.now() + ms,
  at: (time, task) => systemClock.at(time - ms, task),
})

/** By how much clocks are wrong, and the maximum error: half a round trip to the server, also on a machine that is slow. */
const [wrongMs, maxErrorMs] = [3_600_000, 60_000]

describe('Nodes: time', function () {

  for (const offMs of [wrongMs, -wrongMs]) {
    it(`is that of the database on a machine whose clock is ${offMs > 0 ? 'ahead' : 'behind'}`, async () => {
      await using world = await openNodes(1)
      const wrong = await world.open({ clock: clockOff(offMs) })
      expect(wrong.app.clock.now()).to.be.closeTo(systemClock.now(), maxErrorMs)
      const before = systemClock.now()
      const { id } = await wrong.newAddress()
      const after = systemClock.now()
      const { body: { data } } = await world.nodes[0]!.api('GET', `/addresses/${id}`)
      const timeOfId = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
      for (const time of [Date.parse(data.createdAt), timeOfId]) expect(time).to.be.within(before - maxErrorMs, after + maxErrorMs)
    })
  }

  it('lets a timer of a corrected clock fire at its time', async () => {
    await using world = await openNodes(1)
    const { app } = await world.open({ clock: clockOff(-wrongMs) })
    const time = app.clock.now() + 50
    const firedAt = await new Promise<number>((resolve) => app.clock.at(time, () => resolve(app.clock.now())))
    expect(firedAt).to.be.within(time - 5, time + maxErrorMs)
  })

  it('is not corrected where a test has a clock of its own', async () => {
    const clock = testClock()
    const app = await openServer({ database: await newPostgresDatabase(), clock })
    expect(app.clock.now()).to.equal(clock.now())
    await app.close()
  })
})
