import { expect } from 'chai'
import { simulateService } from '../../bench/simulated-service.ts'
import type { ServiceCosts, ServicePlan } from '../../bench/simulated-service.ts'

const nothing = { group: 0, mail: 0 }
const free: ServiceCosts = {
  bytes: 2_000, senderMs: 0, main: nothing, parseMs: 0, thread: nothing, database: nothing, end: nothing,
  later: { node: nothing, database: nothing }, roundTrips: 0,
}
const plan: ServicePlan = { nodes: 1, processorsOfNode: 1, processorsOfDatabase: 100, threads: 1, roundTripMs: 0 }

describe('Simulation: services with a known result', () => {
  it('a flush of 10 ms ends a group of as many mails as there are connections', () => {
    const costs = { ...free, end: { group: 10, mail: 0 } }
    const { mailsPerSecond, mailsInGroup, lockMs } = simulateService(costs, plan, { count: 16_000, connections: 16 })
    expect(mailsPerSecond).to.be.within(1_584, 1_600)
    expect(mailsInGroup).to.equal(16)
    expect(lockMs).to.equal(0)
  })

  it('a second node does not publish more mail than the lock lets through', () => {
    const costs = { ...free, end: { group: 1, mail: 0.1 } }
    const figures = simulateService(costs, { ...plan, nodes: 2 }, { count: 64_000, connections: 64 })
    expect(figures.mailsPerSecond).to.be.closeTo(64_000 / 7.4, 20)
    expect(figures.lockMs).to.be.closeTo(7.4, 0.1)
    expect(figures.lockShare).to.be.within(0.999, 1)
  })

  it('a mail alone takes the round trips of its statements and that of its commit', () => {
    const costs = { ...free, roundTrips: 6 }
    const { p50Ms, mailsPerSecond } = simulateService(costs, { ...plan, roundTripMs: 5 }, { count: 100, connections: 1 })
    expect(p50Ms).to.be.within(35, 35.1)
    expect(mailsPerSecond).to.be.within(28.4, 28.6)
  })

  it('processors of nodes and database carry their work, and a rate that they carry is kept', () => {
    const ofMail = (mail: number) => ({ group: 0, mail })
    const costs = { ...free, main: ofMail(1), database: ofMail(2), later: { node: ofMail(1), database: nothing } }
    const figures = simulateService(costs, { ...plan, nodes: 2, processorsOfNode: 2 }, { count: 20_000, perSecond: 500 })
    expect(figures.mailsPerSecond).to.be.within(490, 510)
    expect(figures.nodesProcessors).to.be.within(0.98, 1.02)
    expect(figures.databaseProcessors).to.be.within(0.98, 1.02)
  })

  it('gives the same figures for a seed', () => {
    const run = (seed: number) => simulateService({ ...free, main: { group: 0, mail: 1 } }, plan, { count: 1_000, perSecond: 700 }, seed)
    expect(run(1)).to.deep.equal(run(1))
    expect(run(1)).to.not.deep.equal(run(2))
  })
})
