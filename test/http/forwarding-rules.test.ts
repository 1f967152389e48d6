import { expect } from 'chai'
import { shareForwardingWorld } from '../support/forwarding.ts'
import type { ForwardingWorld } from '../support/forwarding.ts'
import { ownerOf } from '../support/store/accounts.ts'
import { rowsOf } from '../support/store/rows.ts'

const nowhere = '019c0000-0000-7000-8000-000000000000'
const empty = { id: null, forwardToId: null, forwardToEmail: null, filterSender: null, filterSubject: null, isActive: false }

describe('Forwarding rules', () => {
  let world: ForwardingWorld
  let addressId: string
  /** A verified forwarding address. */
  let ada: { id: string, email: string }
  /** The ids of the rules of earlier tests. */
  let earlier: Set<string>

  const newWorld = shareForwardingWorld()
  beforeEach(async () => {
    world = await newWorld()
    earlier = new Set((await rowsOf(world.app, 'forwarding_rules')).map(({ id }) => id))
    addressId = (await world.app.newAddress()).id
    ada = await world.newVerified()
  })

  const get = async (id = addressId, key = world.app.key) => world.app.api('GET', `/addresses/${id}/forwarding`, { key })
  const patch = (body: unknown, id = addressId, key = world.app.key) => world.app.api('PATCH', `/addresses/${id}/forwarding`, { key, body })
  const rule = async (id = addressId) => (await get(id)).body.data
  const changed = async (body: unknown) => {
    const { status, body: answer } = await patch(body)
    expect(status, JSON.stringify(answer)).to.equal(200)
    expect(answer.data).to.deep.equal(await rule())
    return answer.data
  }
  const newUnverified = async (email = 'grace@example.com', key = world.app.key) =>
    (await world.app.api('POST', '/forwarding-addresses', { key, body: { email } })).body.data as { id: string, email: string }
  const rules = async () => (await rowsOf(world.app, 'forwarding_rules')).filter(({ id }) => !earlier.has(id))

  it('an address without a rule has an empty one', async () => {
    expect(await get(addressId.toUpperCase())).to.deep.include({ status: 200, body: { data: empty } })
  })

  it('Forwarding rule, none: PATCH rule → exists, and later ones keep its id and the members that they do not name', async () => {
    const on = await changed({ forwardToId: ada.id, filterSender: '@shop.example' })
    expect(on).to.deep.equal({
      id: on.id, forwardToId: ada.id, forwardToEmail: 'ada@example.com', filterSender: '@shop.example', filterSubject: null, isActive: true,
    })
    expect(on.id).to.match(/^[0-9a-f-]{36}$/)
    expect(await changed({ filterSubject: 'Receipt' })).to.deep.equal({ ...on, filterSubject: 'Receipt' })
    expect(await changed({})).to.deep.equal({ ...on, filterSubject: 'Receipt' })
    expect(await changed({ isActive: false })).to.deep.equal({ ...on, filterSubject: 'Receipt', isActive: false })
    expect(await changed({ filterSender: null })).to.deep.equal({ ...on, filterSender: null, filterSubject: 'Receipt', isActive: false })
    expect(await changed({ isActive: true, filterSubject: '' })).to.deep.equal({ ...on, filterSender: null })
  })

  for (const body of [{}, { filterSender: '@shop.example' }, { isActive: false }, { forwardToId: null }, { forwardToId: null, filterSubject: 'Receipt' }]) {
    it(`Forwarding rules: the first PATCH without a forwarding address creates no rule: ${JSON.stringify(body)}`, async () => {
      const message = 'is required, as this address has no forwarding rule yet; give the id of a verified forwarding address'
      const { status, body: answer } = await patch(body)
      expect([status, answer]).to.deep.equal([400, {
        error: `body.forwardToId: ${message}.`, code: 'INVALID_REQUEST', details: [{ path: 'body.forwardToId', message }],
      }])
      expect(await rule()).to.deep.equal(empty)
      expect(await rules()).to.deep.equal([])
    })
  }

  it('setting forwardToId activates a rule, unless isActive is false in the same request', async () => {
    expect(await changed({ forwardToId: ada.id })).to.include({ isActive: true })
    await changed({ isActive: false })
    expect(await changed({ forwardToId: ada.id })).to.include({ isActive: true })
    expect(await changed({ forwardToId: ada.id, isActive: false })).to.include({ isActive: false, forwardToId: ada.id })
    expect(await changed({ forwardToId: ada.id, isActive: true })).to.include({ isActive: true })
  })

  it('Forwarding rule, active: PATCH rule with forwardToId null → disabled, with its filters', async () => {
    const { id } = await changed({ forwardToId: ada.id, filterSender: 'a', filterSubject: 'b' })
    const off = { ...empty, id, filterSender: 'a', filterSubject: 'b' }
    expect(await changed({ forwardToId: null })).to.deep.equal(off)
    expect(await changed({ forwardToId: null, isActive: false })).to.deep.equal(off)
    expect(await changed({ isActive: false })).to.deep.equal(off)
    expect(await changed({ forwardToId: ada.id })).to.deep.equal({ ...off, forwardToId: ada.id, forwardToEmail: ada.email, isActive: true })
  })

  for (const body of [{ isActive: true }, { forwardToId: null, isActive: true }, { isActive: true, filterSender: 'a' }]) {
    it(`refuses an active rule without forwardToId: ${JSON.stringify(body)}`, async () => {
      const { status, body: answer } = await patch(body)
      expect([status, answer]).to.deep.equal([400, {
        error: 'body.isActive: cannot be true without a forwardToId.', code: 'INVALID_REQUEST',
        details: [{ path: 'body.isActive', message: 'cannot be true without a forwardToId' }],
      }])
      expect(await rule()).to.deep.equal(empty)
    })
  }

  it('accepts an id in upper case', async () => {
    const { status, body } = await patch({ forwardToId: ada.id.toUpperCase() }, addressId.toUpperCase())
    expect(status).to.equal(200)
    expect(body.data).to.include({ forwardToId: ada.id, forwardToEmail: ada.email })
    expect(await rules()).to.have.length(1)
  })

  it('refuses a forwarding address that is unknown or not verified, and does not change', async () => {
    const before = await changed({ forwardToId: ada.id, filterSender: 'a' })
    const grace = await newUnverified()
    expect(await patch({ forwardToId: nowhere, filterSender: 'b' })).to.deep.include({
      status: 404, body: { error: 'body.forwardToId: there is no forwarding address with this id.', code: 'NOT_FOUND' },
    })
    expect(await patch({ forwardToId: grace.id, filterSender: 'b' })).to.deep.include({
      status: 409,
      body: { error: 'body.forwardToId: the forwarding address is not verified. Follow the link in its verification email first.', code: 'NOT_VERIFIED' },
    })
    expect(await rule()).to.deep.equal(before)
  })

  for (const [member, value] of [
    ['forwardToId', ''], ['forwardToId', 'ada@example.com'], ['forwardToId', 1], ['isActive', 'true'], ['isActive', null], ['filterSender', 1],
    ['filterSubject', ['a']], ['filterSender', 'x'.repeat(256)], ['filterSubject', 'x'.repeat(256)], ['id', nowhere], ['forwardToEmail', 'a@example.com'],
  ] as const) {
    it(`refuses ${member}: ${JSON.stringify(value).slice(0, 30)}`, async () => {
      const { status, body } = await patch({ [member]: value })
      expect(status).to.equal(400)
      expect(body.details[0].path).to.equal(`body.${member}`)
    })
  }

  it('stores filters unchanged', async () => {
    await changed({ forwardToId: ada.id })
    for (const text of ['x'.repeat(255), ' ', '.*', '%_', "'; drop table x", '<b>', 'Grüße 😀', '\\']) {
      expect(await changed({ filterSender: text, filterSubject: text })).to.include({ filterSender: text, filterSubject: text })
    }
  })

  it('20 concurrent first changes create one rule', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => patch({ forwardToId: ada.id, filterSender: String(i) })))
    expect(new Set(answers.map(({ body }) => body.data.id)).size).to.equal(1)
    expect(await rules()).to.have.length(1)
  })

  it('Forwarding address, any: DELETE forwarding address → removed, with its rule alone', async () => {
    const other = await world.newVerified('other@example.com')
    const { id: kept } = await world.app.newAddress()
    await patch({ forwardToId: other.id }, kept)
    await changed({ forwardToId: ada.id, filterSender: 'a' })
    await world.app.api('DELETE', `/forwarding-addresses/${ada.id}`)
    expect((await world.app.api('GET', `/forwarding-addresses/${ada.id}`)).status).to.equal(404)
    expect(await rule()).to.deep.equal(empty)
    expect(await rule(kept)).to.include({ forwardToId: other.id, isActive: true })
    expect(await rules()).to.have.length(1)
  })

  it('are deleted with their address', async () => {
    const { id: short } = await world.app.newAddress({ expiresIn: 60 })
    await changed({ forwardToId: ada.id })
    await patch({ forwardToId: ada.id }, short)
    await world.app.api('DELETE', `/addresses/${addressId}`)
    expect(await rules()).to.have.length(1)
    expect(await get()).to.deep.include({ status: 404, body: { error: 'There is no address with this id.', code: 'NOT_FOUND' } })
    await world.app.advance({ days: 8 })
    expect(await rules()).to.deep.equal([])
  })

  it('of an expired address can be read and changed', async () => {
    const { id } = await world.app.newAddress({ expiresIn: 60 })
    await world.app.advance({ minutes: 2 })
    expect((await patch({ forwardToId: ada.id, filterSender: 'a' }, id)).status).to.equal(200)
    expect(await rule(id)).to.include({ filterSender: 'a' })
  })

  describe('at the creation of an address', () => {
    it('are created active', async () => {
      const { status, body } = await world.app.api('POST', '/addresses', { body: { alias: 'forwarded', forwardToId: ada.id.toUpperCase() } })
      expect(status).to.equal(201)
      expect(body.data.forwarding).to.deep.equal({ forwardToId: ada.id, forwardToEmail: 'ada@example.com', isActive: true })
      const made = await rule(body.data.id)
      expect(made).to.deep.equal({ ...empty, id: made.id, forwardToId: ada.id, forwardToEmail: 'ada@example.com', isActive: true })
    })

    it('prevent the creation when the forwarding address is unknown or not verified', async () => {
      const grace = await newUnverified()
      for (const [forwardToId, status, code] of [[nowhere, 404, 'NOT_FOUND'], [grace.id, 409, 'NOT_VERIFIED']] as const) {
        const answer = await world.app.api('POST', '/addresses', { body: { alias: 'prevented', forwardToId } })
        expect([answer.status, answer.body.code]).to.deep.equal([status, code])
      }
      expect((await world.app.api('GET', '/addresses')).body.data.total).to.equal(1)
      expect((await world.app.api('POST', '/addresses', { body: { alias: 'prevented' }, key: await world.app.newKey() })).status).to.equal(201)
      expect(await rules()).to.deep.equal([])
    })
  })

  it('of other accounts are answered 404, and cannot forward to addresses of this account', async () => {
    const { accountId: account } = await ownerOf(world.app)
    const others = [await world.app.newKey(), await world.app.newKey({ account }), await world.app.newKey({ account, isTest: true })]
    const owned = []
    for (const [i, key] of others.entries()) {
      const { data } = (await world.app.api('POST', '/addresses', { key, body: {} })).body
      owned.push({ key, addressId: data.id as string, forwardToId: (await world.newVerified(`o${i}@example.com`, key)).id })
    }
    for (const { key, addressId, forwardToId } of owned) {
      for (const other of owned.filter((other) => other.key !== key)) {
        for (const answer of [await get(other.addressId, key), await patch({ filterSender: 'x' }, other.addressId, key), await patch({ forwardToId }, other.addressId, key)]) {
          expect(answer).to.deep.include({ status: 404, body: { error: 'There is no address with this id.', code: 'NOT_FOUND' } })
        }
        for (const answer of [
          await patch({ forwardToId: other.forwardToId }, addressId, key),
          await world.app.api('POST', '/addresses', { key, body: { forwardToId: other.forwardToId } }),
        ]) {
          expect(answer).to.deep.include({ status: 404, body: { error: 'body.forwardToId: there is no forwarding address with this id.', code: 'NOT_FOUND' } })
        }
      }
    }
    expect(await rules()).to.deep.equal([])
  })
})
