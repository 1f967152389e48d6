import { Mayfly } from '@mayfly-mail/sdk'
import { expect } from 'chai'
import { findActiveAddress, findAddress } from '../../cli/client/find-address.ts'
import { openDomainsWorld } from '../support/domains.ts'
import type { DomainsWorld } from '../support/domains.ts'
import { rejectionOf } from '../sdk/rejection.ts'

describe('CLI: the address of an argument', () => {
  let world: DomainsWorld
  before(async () => { world = await openDomainsWorld() })
  after(() => world[Symbol.asyncDispose]())

  const client = () => ({
    mayfly: new Mayfly({ apiKey: world.app.key, baseUrl: world.app.url }), signal: new AbortController().signal, onConnect: () => {},
  })
  const find = async (wanted: string) => (await findAddress(client(), wanted)).id
  const refusal = async (wanted: string) => (await rejectionOf(findAddress(client(), wanted))).message

  it('is found by id, by the whole address and by the part before the @, on any page', async () => {
    const { id, address } = await world.app.newAddress({ alias: 'oldest' })
    await Promise.all(Array.from({ length: 120 }, () => world.app.newAddress()))
    expect(await Promise.all([id, id.toUpperCase(), address, 'Oldest@IN.mayfly.example', 'OLDEST'].map(find))).to.deep.equal(Array(5).fill(id))
    expect(await refusal('old')).to.equal('There is no address old of yours. "mayfly address list" shows them.')
  })

  it('is found by the end of its id among the first 100, unless an alias is the same', async () => {
    const { id } = await world.app.newAddress({ alias: 'by-part' })
    expect(await find(id.slice(-8).toUpperCase())).to.equal(id)
    const named = await world.app.newAddress({ alias: id.slice(-8) })
    expect(await find(id.slice(-8))).to.equal(named.id)
    expect(await refusal('ffff-ffff')).to.equal('There is no address ffff-ffff of yours, and none of the first 100 has an id that begins or '
      + 'ends so. "mayfly address list" shows them.')
  })

  it('is the active one when expired addresses have the same name', async () => {
    const first = await world.app.newAddress({ alias: 'reborn', expiresIn: 60 })
    await world.app.advance({ minutes: 2 })
    expect(await Promise.all(['reborn', first.address, first.id].map(find))).to.deep.equal(Array(3).fill(first.id))
    expect((await rejectionOf(findActiveAddress(client(), 'reborn'))).message).to.match(
      new RegExp(`^reborn@in\\.mayfly\\.example receives no mail: it has expired \\(2026-\\S+Z\\) or its domain is not verified\\. "mayfly inbox list ${first.id}" shows`))
    const second = await world.app.newAddress({ alias: 'reborn' })
    await world.app.newAddress({ alias: 'reborn2' })
    expect(await Promise.all(['reborn', second.address, first.id].map(find))).to.deep.equal([second.id, second.id, first.id])
  })

  it('is refused as ambiguous when several addresses have this part before the @', async () => {
    await world.hold('qa.example.com')
    const own = await world.app.newAddress({ alias: 'twice' })
    const other = await world.app.newAddress({ alias: 'twice', domain: 'qa.example.com' })
    expect(await refusal('twice')).to.equal('twice may be twice@qa.example.com or twice@in.mayfly.example. Give the whole address.')
    expect(await Promise.all([own.address, other.address].map(find))).to.deep.equal([own.id, other.id])
  })

  it('is not looked for beyond the 1,000 newest, nor taken for another one', async () => {
    const { id, address } = await world.app.newAddress({ alias: 'beyond' })
    for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 50 }, () => world.app.newAddress()))
    const { id: newest, address: newestAddress } = await world.app.newAddress({ alias: 'within' })
    expect(await Promise.all([id, newest, newestAddress].map(find))).to.deep.equal([id, newest, newest])
    const tooMany = (wanted: string, give: string) => `You have more than 1000 active addresses, and ${wanted} is looked for among the newest of them `
      + `alone. Give the whole ${give}id, which "mayfly address create --json" and "mayfly address list" show.`
    expect(await refusal(address)).to.equal(tooMany(address, ''))
    for (const wanted of ['within', 'beyond', id.slice(-8), 'nonsense']) expect(await refusal(wanted)).to.equal(tooMany(wanted, 'address or the whole '))
  })
})
