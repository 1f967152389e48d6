import { expect } from 'chai'
import { burstRate, usageRate } from '../../server/turns/usage-rate.ts'

describe('Usage rate: forgetting names', () => {
  it('costs each record a constant time on average while all names are in use', () => {
    let reads = 0
    const rate = usageRate(1, { now: () => (reads++, 0) })
    for (let i = 0; i < 20_000; i++) rate.record(`name ${i}`, 1)
    expect(reads / 20_000).to.be.lessThan(5)
  })

  it('removes names that are free again', () => {
    let now = 0
    let reads = 0
    const rate = usageRate(1, { now: () => (reads++, now) })
    for (let i = 0; i < 20_000; i++) {
      rate.record(`name ${i}`, 1)
      now += 100
    }
    expect(reads / 20_000).to.be.lessThan(5)
    expect(rate.waitMs('name 19999')).to.be.greaterThan(0)
    expect(rate.waitMs('name 0')).to.equal(0)
  })
})

describe('Usage rate: a burst', () => {
  it('is as large at any time of the clock, whose fractions do not add up exactly', () => {
    const sizes = Array.from({ length: 200 }, (_, i) => {
      const rate = burstRate(3, 100, () => i * 12_345.678_9)
      let size = 0
      for (; rate.waitMs('name') === 0; size++) rate.record('name', 1)
      return size
    })
    expect(new Set(sizes)).to.deep.equal(new Set([100]))
  })
})
