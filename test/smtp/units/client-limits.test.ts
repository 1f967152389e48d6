import { expect } from 'chai'
import { clientNetwork } from '../../../server/network.ts'
import { exceedsClientLimits } from '../../../server/smtp/client-limits.ts'

describe('SMTP connections', () => {
  it('are counted by network and by address', () => {
    const caps = { connectionsPerAddress: 2, connectionsPerNetwork: 3 }
    const client = (address: string) => ({ address, network: clientNetwork(address), isInSession: true })
    const isTooMany = (addresses: string[]) => exceedsClientLimits(client(addresses.at(-1)!), addresses.slice(0, -1).map(client), caps)
    expect(isTooMany(['198.51.101.1', '198.51.101.2', '198.51.101.3'])).to.equal(false)
    expect(isTooMany(['198.51.101.1', '198.51.101.2', '198.51.101.3', '198.51.101.4'])).to.equal(true)
    expect(isTooMany(['198.51.101.1', '198.51.101.2', '198.51.101.3', '198.51.102.4'])).to.equal(false)
    expect(isTooMany(['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'])).to.equal(false)
    expect(isTooMany(['127.0.0.1', '127.0.0.1', '127.0.0.1'])).to.equal(true)
  })

  for (const [address, network] of [
    ['203.0.112.7', '203.0.112.0'], ['::ffff:203.0.112.7', '203.0.112.0'], ['2a00:1450:4001:82f::200e', '2a00:1450:4001:82f::'],
    ['2a00:1450:4001:82f:1:2:3:4', '2a00:1450:4001:82f::'], ['127.0.0.1', '127.0.0.1'], ['10.1.2.3', '10.1.2.3'], ['::1', '::1'], ['fd00::1', 'fd00::1'],
  ] as const) {
    it(`from ${address} are of the network ${network}`, () => {
      expect(clientNetwork(address)).to.equal(network)
    })
  }
})
