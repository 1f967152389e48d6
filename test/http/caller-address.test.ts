import { expect } from 'chai'
import { networkOf } from '../../server/http/caller-address.ts'

describe('HTTP connections: the network of an address', () => {
  for (const [network, addresses] of [
    ['192.0.2', ['192.0.2.1', '192.0.2.255', '::ffff:192.0.2.7']],
    ['2001:db8:1:2', ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff']],
    ['0:0:0:0', ['::2']],
  ] as const) {
    it(`is ${network} for ${addresses.join(', ')}`, () => {
      expect(addresses.map(networkOf)).to.deep.equal(addresses.map(() => network))
    })
  }
})
