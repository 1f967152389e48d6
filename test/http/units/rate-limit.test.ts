import { expect } from 'chai'
import type { App } from '../../../server/context.ts'
import type { Call } from '../../../server/http/operations/call.ts'
import { countInTurn, signInLimits, windowCounters } from '../../../server/http/operations/rate-limit.ts'

describe('Rate limit: counters', () => {
  it('are no more than a limit, and none of an earlier window', () => {
    const count = windowCounters(2)
    expect(['a', 'b', 'c', 'd', 'a', 'c'].map((name) => count(1, name))).to.deep.equal([1, 1, 1, 2, 2, 3])
    expect(['c', 'd'].map((name) => count(2, name))).to.deep.equal([1, 1])
  })

  for (const kind of ['of one process', 'of several nodes']) {
    it(`${kind}: a call that a narrow limit refuses does not count for the wider ones`, async () => {
      const count = windowCounters(10)
      const call = (name: string) => countInTurn(
        (window, counted) => kind === 'of one process' ? count(window, counted) : Promise.resolve(count(window, counted)),
        1, [{ name, limit: 1 }, { name: 'wide', limit: 3 }])
      const left = []
      for (const name of ['a', 'a', 'a', 'b', 'c', 'd']) left.push(await call(name))
      expect(left).to.deep.equal([
        { limit: 1, left: 0 }, { limit: 1, left: -1 }, { limit: 1, left: -2 },
        { limit: 1, left: 0 }, { limit: 1, left: 0 }, { limit: 3, left: -1 },
      ])
    })
  }
})

describe('Sign-in links: the limit of the server', () => {
  it('is 2,000 requests an hour of all networks, and refused requests do not use it up', async () => {
    let now = 0
    const limit = signInLimits({ clock: { now: () => now }, db: { engine: {} } } as unknown as App)
    const request = async (ip: string) => limit({ ctx: { ip }, operationId: 'signInLinks.create' } as unknown as Call)
      .then(() => undefined, (error: Error) => error.message)
    for (let i = 0; i < 20; i++) expect(await request('192.0.2.1')).to.equal(undefined)
    for (let i = 0; i < 2_000; i++) expect(await request('192.0.2.1')).to.equal('More than 20 sign-in links in an hour. Try again in 60 minutes.')
    for (let i = 0; i < 1_980; i++) expect(await request(`198.51.${i % 200}.${Math.floor(i / 200)}`)).to.equal(undefined)
    expect(await request('203.0.113.1')).to.equal('More than 2000 sign-in links in an hour. Try again in 60 minutes.')
    now = 3_600_000
    expect(await request('203.0.113.1')).to.equal(undefined)
  })
})
