import { expect } from 'chai'
import { networkDelays } from '../../../server/smtp/client-limits.ts'

describe('SMTP: delay of what a network does too often', () => {
  const allowed = { atOnce: 3, perSecond: 2, maxDelayMs: 2_000 }

  function openDelays() {
    let now = 1_000_000
    const delayOf = networkDelays(allowed, () => now)
    return { delays: (count: number, network = 'a') => Array.from({ length: count }, () => delayOf(network)), pass: (ms: number) => { now += ms } }
  }

  it('grows with their number, up to a maximum', () => {
    expect(openDelays().delays(9)).to.deep.equal([0, 0, 0, 500, 1_000, 1_500, 2_000, 2_000, 2_000])
  })

  it('is separate for each network', () => {
    const { delays } = openDelays()
    delays(100, 'a')
    expect(delays(4, 'b')).to.deep.equal([0, 0, 0, 500])
  })

  it('ends soon after the last one, regardless of their number', () => {
    const { delays, pass } = openDelays()
    delays(100_000)
    pass(2_000 + 1_500)
    expect(delays(4)).to.deep.equal([0, 0, 0, 500])
  })
})
