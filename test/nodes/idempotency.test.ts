import { expect } from 'chai'
import { openNodes } from '../support/nodes.ts'
import type { TestNodes } from '../support/nodes.ts'

const times = 5

describe('Nodes: idempotency keys', function () {

  let world: TestNodes
  before(async () => { world = await openNodes(3) })
  after(() => world[Symbol.asyncDispose]())

  /** Sends a request with one key to all nodes at once. */
  const everywhere = (key: string, method: string, path: string, bodies: unknown[]) =>
    Promise.all(world.nodes.map(({ api }, i) => api(method, path, { body: bodies[i % bodies.length], headers: { 'idempotency-key': key } })))

  const countAddresses = async () => (await world.nodes[0]!.api('GET', '/addresses')).body.data.total as number

  const changes: { name: string, method: string, path: () => Promise<string>, bodyOf: (i: number) => unknown, added: number }[] = [
    { name: 'a random address', method: 'POST', path: async () => '/addresses', bodyOf: () => ({}), added: 1 },
    { name: 'an address whose name is taken then', method: 'POST', path: async () => '/addresses', bodyOf: (i) => ({ alias: `taken${i}` }), added: 1 },
    {
      name: 'the deletion of an address, which is not there any more then', method: 'DELETE', added: 0,
      path: async () => `/addresses/${(await world.nodes[0]!.newAddress()).id}`, bodyOf: () => undefined,
    },
  ]

  for (const { name, method, path, bodyOf, added } of changes) {
    it(`at three nodes at once have one effect and three equal answers: ${name}`, async () => {
      for (let i = 0; i < times; i++) {
        const before = await countAddresses()
        const answers = await everywhere(`${name} ${i}`.replaceAll(' ', '-'), method, await path(), [bodyOf(i)])
        expect(answers[0]!.status).to.be.within(200, 299)
        expect(answers.map(({ status }) => status)).to.deep.equal(Array(3).fill(answers[0]!.status))
        expect(answers.map(({ body }) => body)).to.deep.equal(Array(3).fill(answers[0]!.body))
        expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).to.have.length(2)
        expect(await countAddresses()).to.equal(before + added)
      }
    })
  }

  it('at three nodes at once create one mail in test mode, which is stored by a thread', async () => {
    const key = await world.nodes[0]!.newKey({ account: world.nodes[0]!.account, isTest: true })
    const { body: { data: { id, address } } } = await world.nodes[0]!.api('POST', '/addresses', { key, body: {} })
    for (let i = 0; i < times; i++) {
      const answers = await Promise.all(world.nodes.map(({ api }) => api('POST', '/test/emails', {
        key, body: { to: address, subject: `Mail ${i}` }, headers: { 'idempotency-key': `mail-${i}` },
      })))
      expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 201])
      expect(new Set(answers.map((answer) => answer.body.data.id)).size).to.equal(1)
    }
    expect((await world.nodes[1]!.api('GET', `/emails?address_id=${id}`, { key })).body.data).to.have.length(times)
  })

  it('for different requests at once have the effect of one, and refuse the others', async () => {
    const answers = await everywhere('different', 'POST', '/addresses', [{ expiresIn: 100 }, { expiresIn: 200 }, { expiresIn: 300 }])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted()).to.deep.equal([201, 409, 409])
    for (const { status, body } of answers) if (status === 409) expect(body.error).to.contain('Idempotency-Key was used for another request')
  })
})
