import { expect } from 'chai'
import { networkOf } from '../server/network.ts'

describe('Network of an IP address', () => {
  for (const [network, addresses] of [
    ['192.0.2.0', ['192.0.2.1', '192.0.2.255', '::ffff:192.0.2.7']],
    ['2001:db8:1:2::', ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff']],
    ['::', ['::2']],
    ['no address', ['no address']],
  ] as const) {
    it(`is ${network} for ${addresses.join(', ')}`, () => {
      expect(addresses.map((address) => networkOf(address, { ipv4: 24, ipv6: 64 }))).to.deep.equal(addresses.map(() => network))
    })
  }

  it('is the address itself for the full number of bits', () => {
    expect(networkOf('::ffff:203.0.113.7', { ipv4: 32, ipv6: 64 })).to.equal('203.0.113.7')
  })
})
