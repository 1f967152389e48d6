import { expect } from 'chai'
import { callerNetwork } from '../../../server/http/rate-limit.ts'
import { windowCounters } from '../../../server/http/window-counters.ts'

describe('Rate limit: callers without a key', () => {
  it('counts IPv6 callers by their /64 network, and IPv4 callers by their address', () => {
    expect(callerNetwork('2001:db8:1:2::1')).to.equal(callerNetwork('2001:db8:1:2:ffff:ffff:ffff:ffff'))
    expect(callerNetwork('2001:db8:1:2::1')).to.not.equal(callerNetwork('2001:db8:1:3::1'))
    expect(callerNetwork('::ffff:203.0.113.7')).to.equal(callerNetwork('203.0.113.7'))
    expect(callerNetwork('203.0.113.7')).to.not.equal(callerNetwork('203.0.113.8'))
  })

  it('keeps no more counters than a limit, and none of an earlier window', () => {
    const count = windowCounters(2)
    expect(['a', 'b', 'c', 'd', 'a', 'c'].map((name) => count(1, name))).to.deep.equal([1, 1, 1, 2, 2, 3])
    expect(['c', 'd'].map((name) => count(2, name))).to.deep.equal([1, 1])
  })
})
