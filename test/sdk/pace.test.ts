import { expect } from 'chai'
import { nextDelay, readBudget } from '../../sdk/wait-for/pace.ts'
import type { Budget, Pace } from '../../sdk/wait-for/pace.ts'

const minute = 60_000

describe('the pace of waitFor', () => {
  it('begins with 25 ms and grows to 500 ms', () => {
    const delays = Array.from({ length: 12 }, (_, i) => nextDelay({ ...early, looks: i + 1 }))
    expect(delays.slice(0, 4)).to.deep.equal([25, 37.5, 56.25, 84.375])
    expect(delays.at(-1)).to.equal(500)
  })

  it('looks about ten times in the first two seconds', () => {
    expect(simulate({ clients: 1, timeoutMs: 2_000 }).looks).to.be.within(8, 12)
  })

  it('leaves a good part of the rate limit to others in a wait of 30 seconds', () => {
    expect(simulate({ clients: 1, timeoutMs: 30_000 }).least).to.be.above(30)
  })

  const crowds: [string, Crowd][] = [
    ['one wait', { clients: 1 }],
    ['one wait of a small account', { clients: 1, limit: 10 }],
    ['ten waits of a client', { clients: 1, waits: 10 }],
    ['three clients', { clients: 3 }],
  ]
  for (const [name, crowd] of crowds) {
    it(`never uses up the rate limit: ${name} in ten minutes`, () => {
      expect(simulate({ timeoutMs: 10 * minute, ...crowd }).least).to.be.above(0)
    })
  }

  it('waits for the next window when little is left', () => {
    expect(nextDelay({ ...early, budget: { limit: 100, remaining: 5, resetMs: 20_000 } })).to.equal(20_000)
    expect(nextDelay({ ...early, budget: { limit: 100, remaining: 5, resetMs: -1 } })).to.equal(25)
  })

  it('reads the rate limit by the server\'s clock', () => {
    const headers = new Headers({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '97', 'x-ratelimit-reset': '1773479160' })
    expect(readBudget(headers, 1_773_479_150_000)).to.deep.equal({ limit: 100, remaining: 97, resetMs: 10_000 })
    expect(readBudget(new Headers(), 0)).to.equal(undefined)
  })
})

const early: Pace = { looks: 1, elapsedMs: 0, leftMs: minute, waits: 1, budget: undefined }

interface Crowd { clients: number, waits?: number, timeoutMs?: number, limit?: number }

/** Waits that begin together in one account of fixed windows, on a clock that leaps from look to look. */
function simulate({ clients, waits = 1, timeoutMs = minute, limit = 100 }: Crowd) {
  const queue = Array.from({ length: clients * waits }, (_, i) => ({ at: i, looks: 0 }))
  let window = 0
  let remaining = limit
  let least = limit
  let looks = 0
  for (;;) {
    const wait = queue.sort((a, b) => a.at - b.at)[0]!
    if (wait.at >= timeoutMs) return { looks, least }
    if (Math.floor(wait.at / minute) > window) {
      window = Math.floor(wait.at / minute)
      remaining = limit
    }
    least = Math.min(least, --remaining)
    looks++
    const budget: Budget = { limit, remaining, resetMs: (window + 1) * minute - wait.at }
    wait.at += nextDelay({ looks: ++wait.looks, elapsedMs: wait.at, leftMs: timeoutMs - wait.at, waits, budget })
  }
}
