import { expect } from 'chai'
import { dayOf, timestamp } from '../server/clock.ts'

const dayMs = 24 * 3600 * 1000

describe('Timestamps', () => {
  it('are those of Date, whatever the day, the year and the order of calls', () => {
    const rareDays = [-dayMs, 0, Date.UTC(1969, 11, 31), Date.UTC(2000, 1, 29), Date.UTC(9999, 11, 31)]
    const days = [...Array.from({ length: 200 }, (_, i) => Date.UTC(2026, 0, 1) + i * dayMs), ...rareDays]
    const hoursAndLess = [0, 1, 999, 1000, 59_999, 60_000, 3_599_999, 3_600_000, 12 * 3_600_000 + 34_567, dayMs - 1]
    const times = days.flatMap((day) => hoursAndLess.map((ms) => day + ms))
    const wrong = [...times, ...times.toReversed()].filter((time) => timestamp(time) !== new Date(time).toISOString())
    expect(wrong).to.deep.equal([])
    expect(times.filter((time) => dayOf(time) !== new Date(time).toISOString().slice(0, 10))).to.deep.equal([])
  })

  it('are null for no time', () => {
    expect(timestamp(null)).to.equal(null)
  })
})
