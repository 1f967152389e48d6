import { expect } from 'chai'
import { clientNetwork, clientNetworks, isPublicTarget, siteOf } from '../server/network.ts'

describe('Networks of a client', () => {
  for (const [networks, addresses] of [
    [['198.51.101.7/32', '198.51.101.0/24'], ['198.51.101.7', '::ffff:198.51.101.7', '::ffff:c633:6507']],
    [['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48'], ['2001:db8:1:2ff::1', '2001:0DB8:0001:02FF:ffff:ffff:ffff:ffff']],
    [['2001:db8::/64', '2001:db8::/56', '2001:db8::/48'], ['2001:db8::9']],
    [['10.1.2.3'], ['10.1.2.3', '::ffff:10.1.2.3']],
    [['127.0.0.1'], ['127.0.0.1']], [['::1'], ['::1']], [['fd00::1'], ['fd00::1']], [['fe80::1'], ['fe80::1']],
    [['no address'], ['no address']],
  ] as const) {
    it(`are ${networks.join(', ')} for ${addresses.join(', ')}`, () => {
      for (const address of addresses) {
        expect(clientNetworks(address)).to.deep.equal(networks.map((name, i) => ({ name, factor: i + 1 })))
        expect(clientNetwork(address)).to.equal(networks.at(-1))
      }
    })
  }
})

describe('Target of a request that another causes', () => {
  for (const [ip, port, isPublic] of [
    ['198.51.101.7', 8443, true], ['45.67.89.10', 443, true], ['45.67.89.10', 80, true], ['45.67.89.10', 9999, false],
    ['2a00:1450:4001::1', 9999, false], ['2A00:1450:4001:0::1', 9999, false], ['2a00:1450:4001::2', 9999, true], ['127.0.0.1', 443, false],
  ] as const) {
    it(`${isPublic ? 'may' : 'may not'} be ${ip} port ${port}`, () => {
      expect(isPublicTarget(ip, port, ['45.67.89.10', '2a00:1450:4001::1', '127.0.0.1'])).to.equal(isPublic)
    })
  }
})

describe('Site of a webhook', () => {
  for (const [site, hosts] of [
    ['198.51.101.7/32', ['198.51.101.7', '0xc6.0x33.0x65.7', '[::ffff:198.51.101.7]', '[64:ff9b::198.51.101.7]', '[2002:c633:6507::1]']],
    ['2001:db8:1:2::/64', ['[2001:db8:1:2::1]', '[2001:DB8:1:2:ffff::9]']],
    ['127.0.0.1', ['127.1', '0', '[::ffff:0:0]']], ['::1', ['[::]', '[::1]']], ['fd00::1', ['[fd00:0::1]']],
    ['shop.example', ['shop.example', 'A.B.Shop.example.', 'hooks.shop.example']], ['shop.co.uk', ['hooks.shop.co.uk']], ['a.github.io', ['a.github.io']], ['localhost', ['localhost', 'LOCALHOST.']],
  ] as const) {
    it(`is ${site} for ${hosts.join(', ')}`, () => {
      for (const host of hosts) expect(siteOf(new URL(`https://${host}/`).hostname), host).to.equal(site)
    })
  }
})
