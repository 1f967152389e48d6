import { expect } from 'chai'
import { maxFailures, openDomainsWorld } from '../support/domains.ts'
import type { AddedDomain, DomainsWorld } from '../support/domains.ts'
import { watchBoundAddresses } from '../support/store/commits.ts'
import { emitted } from '../support/store/events.ts'

interface Listed { id: string, alias: string, isActive: boolean }
interface AddressPage { addresses: Listed[], total: number, hasMore: boolean }

describe('Addresses: isActive with a custom domain', () => {
  let world: DomainsWorld
  let domain: AddedDomain
  let own: { id: string, address: string }

  beforeEach(async () => {
    world = await openDomainsWorld()
    domain = await world.hold('qa.example.com')
    await world.app.newAddress({ alias: 'plain' })
    own = await world.app.newAddress({ alias: 'own', domain: domain.domain })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const list = async (query = ''): Promise<AddressPage> => (await world.app.api('GET', `/addresses${query}`)).body.data
  const counters = async () => {
    const { totalAddresses, activeAddresses } = (await world.app.api('GET', '/analytics')).body
    return { totalAddresses, activeAddresses }
  }

  /** Expects lists, single addresses, totals and counters to show these aliases as active or expired, the newest first. */
  async function expectAliases(wanted: { active: string[], expired: string[] }) {
    for (const status of ['active', 'expired'] as const) {
      const { addresses, ...page } = await list(`?status=${status}`)
      expect(addresses.map(({ alias }) => alias), status).to.deep.equal(wanted[status])
      expect(page, status).to.include({ total: wanted[status].length, hasMore: false })
      for (const address of addresses) {
        expect(address.isActive, address.alias).to.equal(status === 'active')
        expect((await world.app.api('GET', `/addresses/${address.id}`)).body.data).to.deep.equal(address)
      }
    }
    const { addresses, total } = await list()
    expect(addresses.filter(({ isActive }) => isActive).map(({ alias }) => alias)).to.deep.equal(wanted.active)
    expect(total).to.equal(wanted.active.length + wanted.expired.length)
    expect(await counters()).to.deep.equal({ totalAddresses: total, activeAddresses: wanted.active.length })
  }

  it('is false once the domain is deleted, in lists, filters, totals and analytics', async () => {
    const { id: short } = await world.app.newAddress({ alias: 'short', domain: domain.domain, expiresIn: 60 })
    await expectAliases({ active: ['short', 'own', 'plain'], expired: [] })
    await world.app.api('DELETE', `/domains/${domain.id}`)
    await expectAliases({ active: ['plain'], expired: ['short', 'own'] })

    await world.app.advance({ minutes: 1 })
    await expectAliases({ active: ['plain'], expired: ['short', 'own'] })
    expect((await emitted(world.app, 'address.expired')).map(({ data }) => (data as { addressId: string }).addressId)).to.deep.equal([short])
    await world.app.api('DELETE', `/addresses/${own.id}`)
    await expectAliases({ active: ['plain'], expired: ['short'] })
    await world.app.advance({ days: 8 })
    await expectAliases({ active: ['plain'], expired: [] })
  })

  it('is false while the domain is not verified, and true again once it is', async () => {
    world.dns.zone[domain.domain] = 'NXDOMAIN'
    await world.app.advance({ days: maxFailures })
    await expectAliases({ active: ['plain'], expired: ['own'] })
    await world.offer(own.address, 550)

    world.point(domain)
    await world.verify(domain.id)
    await expectAliases({ active: ['own', 'plain'], expired: [] })
    await world.offer(own.address, 250)
  })

  it('stays false when the same domain is added again, as a new domain', async () => {
    await world.app.api('DELETE', `/domains/${domain.id}`)
    const again = await world.hold(domain.domain)
    await expectAliases({ active: ['plain'], expired: ['own'] })
    await world.app.newAddress({ alias: 'own', domain: again.domain })
    await expectAliases({ active: ['own', 'plain'], expired: ['own'] })
  })

  it('of many addresses changes at once, and the counters in steps of 200', async () => {
    for (let i = 0; i < 449; i++) await world.app.newAddress({ domain: domain.domain })
    expect(await counters()).to.deep.equal({ totalAddresses: 451, activeAddresses: 451 })
    const bound = watchBoundAddresses(world.app)

    world.dns.zone[domain.domain] = 'NXDOMAIN'
    await world.app.advance({ days: maxFailures })
    expect(await bound.count()).to.equal(1)
    expect(bound.steps.slice(0, 2)).to.deep.equal([-200, -200])
    expect(await counters()).to.deep.equal({ totalAddresses: 451, activeAddresses: 1 })
    expect(await list('?status=expired&limit=1')).to.include({ total: 450, hasMore: true })

    bound.steps.length = 0
    world.point(domain)
    await world.verify(domain.id)
    expect((await list('?limit=100')).addresses.every(({ isActive }) => isActive)).to.equal(true)
    expect((await list('?status=expired&limit=100')).addresses).to.deep.equal([])
    await world.app.settled()
    expect(await bound.count()).to.equal(451)
    expect(bound.steps.slice(0, 2)).to.deep.equal([200, 200])
    expect(await counters()).to.deep.equal({ totalAddresses: 451, activeAddresses: 451 })

    await world.app.api('DELETE', `/domains/${domain.id}`)
    expect((await list('?status=active')).addresses.map(({ alias }) => alias)).to.deep.equal(['plain'])
    await world.app.settled()
    expect(await counters()).to.deep.equal({ totalAddresses: 451, activeAddresses: 1 })
  })
})
