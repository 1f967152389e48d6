import { expect } from 'chai'
import { clientNetworks } from '../../../server/network.ts'
import { exceedsClientLimits } from '../../../server/smtp/client-limits.ts'

describe('SMTP connections', () => {
  it('are counted in each network of the client, with growing limits', () => {
    const client = (address: string) => ({ address, networks: clientNetworks(address), isInSession: true })
    const isTooMany = (...addresses: string[]) => exceedsClientLimits(client(addresses.at(-1)!), addresses.slice(0, -1).map(client), 2)
    const four = ['198.51.101.1', '198.51.101.2', '198.51.101.3', '198.51.101.4']
    expect(isTooMany(...four)).to.equal(false)
    expect(isTooMany(...four, '198.51.101.5')).to.equal(true)
    expect(isTooMany(...four, '198.51.102.5')).to.equal(false)
    expect(isTooMany('198.51.101.1', '198.51.101.1', '::ffff:198.51.101.1')).to.equal(true)
    const six = ['2001:db8:0:1::1', '2001:db8:0:2::1', '2001:db8:0:3::1', '2001:db8:0:4::1', '2001:db8:0:101::1', '2001:db8:0:201::1']
    expect(isTooMany('2001:db8:0:1::1', '2001:db8:0:1::2', '2001:db8:0:1::3')).to.equal(true)
    expect(isTooMany(...six.slice(0, 4), '2001:db8:0:5::1')).to.equal(true)
    expect(isTooMany(...six)).to.equal(false)
    expect(isTooMany(...six, '2001:db8:0:301::1')).to.equal(true)
    expect(isTooMany(...six, '2001:db8:1::1')).to.equal(false)
    expect(isTooMany('127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5')).to.equal(false)
    expect(isTooMany('127.0.0.1', '127.0.0.1', '127.0.0.1')).to.equal(true)
  })
})
