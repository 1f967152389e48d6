import { expect } from 'chai'
import type { TestApp } from '../support/app.ts'
import { openNodes } from '../support/nodes.ts'
import type { TestNodes } from '../support/nodes.ts'
import { search, subjects } from '../support/search.ts'
import { holdIndexOf, indexAgain, indexed, indexing, indexTogether } from '../support/store/search-index.ts'

describe('Nodes: search', function () {

  let world: TestNodes
  beforeEach(async () => { world = await openNodes(2) })
  afterEach(() => world[Symbol.asyncDispose]())

  /** Repeats a search, each of which waits for the index for some seconds, until it finds mail. */
  async function subjectsFound(node: TestApp, key?: string) {
    for (;;) {
      const found = await search(node, 'word', {}, key)
      if (found.total > 0) return subjects(found)
    }
  }

  it('finds mail that another node is indexing', async () => {
    const [a, b] = world.nodes as [TestNodes['nodes'][0], TestNodes['nodes'][0]]
    const { address } = await a.newAddress()
    const release = await holdIndexOf(a)
    await a.send({ to: address, subject: 'under way', text: 'word' })
    await indexing(a, 1)
    const found = subjectsFound(b)
    await release()
    expect(await found).to.deep.equal(['under way'])
  })

  it('finds mail of an account while that of another one cannot be indexed', async () => {
    const [a, b] = world.nodes as [TestNodes['nodes'][0], TestNodes['nodes'][0]]
    const otherKey = await a.newKey()
    const [mine, other] = [await a.newAddress(), (await a.api('POST', '/addresses', { key: otherKey, body: {} })).body.data]
    const release = await holdIndexOf(a)
    await a.send({ to: mine.address, subject: 'held', text: 'word' })
    await indexing(a, 1)
    await b.send({ to: other.address, subject: 'free', text: 'word' })
    expect(await subjectsFound(b, otherKey)).to.deep.equal(['free'])
    expect((await search(b, 'word')).total).to.equal(0)
    await release()
    await indexed(a)
    expect((await search(b, 'word')).total).to.equal(1)
  })

  it('has each mail once when several processes index the mail of several accounts', async () => {
    const [a, b] = world.nodes as [TestNodes['nodes'][0], TestNodes['nodes'][0]]
    const keys = [a.key, await a.newKey(), await a.newKey()]
    for (const key of keys) {
      const { address } = (await a.api('POST', '/addresses', { key, body: {} })).body.data
      await Promise.all(Array.from({ length: 30 }, (_, i) => world.nodes[i % 2]!.send({ to: address, subject: `mail ${i}`, text: 'word' })))
    }
    await Promise.all([a.settled(), b.settled()])
    await Promise.all([a.app.close(), b.app.close()])
    await indexAgain(world.database)

    const added = await indexTogether(world.database, 3)
    expect(added.flat()).to.have.length(90)
    expect(new Set(added.flat()).size).to.equal(90)
    const again = await world.open()
    for (const key of keys) expect((await search(again, 'word', {}, key)).total).to.equal(30)
  })
})
