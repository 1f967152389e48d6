import { expect } from 'chai'
import { randomNumbers, SimulatedLock, SimulatedProcessors, Simulation } from '../../bench/simulation.ts'

describe('Simulation: queues with a known result', () => {
  it('a server with random arrivals and constant service (M/D/1) has the mean wait of Pollaczek and Khinchine', () => {
    for (const load of [0.3, 0.6, 0.8]) {
      const { simulation, random } = open()
      const lock = new SimulatedLock()
      const waits: number[] = []
      simulation.start(arrive(400_000, load, function* () {
        const cameAt = simulation.nowMs
        yield lock.take()
        waits.push(simulation.nowMs - cameAt)
        yield simulation.wait(1)
        lock.release()
      }))
      simulation.run()
      expect(mean(waits) / (load / (2 * (1 - load))), `load ${load}`).to.be.within(0.99, 1.01)

      function* arrive(count: number, perMs: number, customer: () => Generator) {
        for (let i = 0; i < count; i++) {
          yield simulation.wait(-Math.log(1 - random()) / perMs)
          simulation.start(customer() as never)
        }
      }
    }
  })

  it('processors that are shared have the mean time of M/M/1 with processor sharing, and count the time that is used', () => {
    const { simulation, random } = open()
    const processors = new SimulatedProcessors(simulation, 1)
    const times: number[] = []
    let usedMs = 0
    simulation.start(function* () {
      for (let i = 0; i < 400_000; i++) {
        yield simulation.wait(-Math.log(1 - random()) / 0.5)
        simulation.start(function* () {
          const cameAt = simulation.nowMs
          const workMs = -Math.log(1 - random())
          usedMs += workMs
          yield processors.use(workMs)
          times.push(simulation.nowMs - cameAt)
        }())
      }
    }())
    simulation.run()
    expect(mean(times)).to.be.within(1.98, 2.02)
    expect(processors.busyMs).to.be.closeTo(usedMs, 1e-3)
  })

  it('three pieces of work on two processors take one and a half times as long as one', () => {
    const simulation = new Simulation()
    const processors = new SimulatedProcessors(simulation, 2)
    const ends: number[] = []
    for (let i = 0; i < 3; i++) {
      simulation.start(function* () {
        yield processors.use(10)
        ends.push(simulation.nowMs)
      }())
    }
    simulation.run()
    expect(ends).to.deep.equal([15, 15, 15])
  })
})

function open() {
  return { simulation: new Simulation(), random: randomNumbers(1) }
}

function mean(values: number[]) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
