import { expect } from 'chai'
import { testClock } from '../support/clock.ts'
import { openNodes } from '../support/nodes.ts'
import type { TestNodes } from '../support/nodes.ts'
import { rawSql } from '../support/store/raw-sql.ts'

const limit = 40

describe('Nodes: rate limit', function () {

  const clock = testClock()
  let world: TestNodes
  before(async () => { world = await openNodes(3, { clock, env: { MAYFLY_RATE_LIMIT: String(limit) } }) })
  after(() => world[Symbol.asyncDispose]())

  /** Sends requests to the nodes in turns, all at once. @returns their answers */
  const ask = (count: number, send: (node: TestNodes['nodes'][0]) => ReturnType<TestNodes['nodes'][0]['api']>) =>
    Promise.all(Array.from({ length: count }, (_, i) => send(world.nodes[i % 3]!)))
  const passed = (answers: { status: number }[]) => answers.filter(({ status }) => status !== 429)

  it('lets exactly its requests pass at all nodes together, and counts them down', async () => {
    const key = await world.nodes[0]!.newKey()
    const answers = await ask(2 * limit, (node) => node.api('GET', '/addresses', { key }))
    expect(passed(answers).map(({ status }) => status)).to.deep.equal(Array(limit).fill(200))
    const remaining = passed(answers).map((answer) => Number((answer as typeof answers[0]).headers.get('x-ratelimit-remaining')))
    expect(remaining.toSorted((a, b) => a - b)).to.deep.equal(Array.from({ length: limit }, (_, i) => i))

    await clock.advance(60_000, async () => {})
    expect(passed(await ask(limit, (node) => node.api('GET', '/addresses', { key })))).to.have.length(limit)
  })

  it('is not shared with other accounts, and one for all callers of a network without a key', async () => {
    const keys = [await world.nodes[0]!.newKey(), await world.nodes[1]!.newKey()]
    for (const key of keys) expect(passed(await ask(limit, (node) => node.api('GET', '/addresses', { key })))).to.have.length(limit)
    await clock.advance(60_000, async () => {})
    expect(passed(await ask(limit + 5, (node) => node.api('GET', '/addresses', { key: null })))).to.have.length(limit)
  })

  it('of sign-in links is one for all nodes', async () => {
    await clock.advance(3_600_000, async () => {})
    const answers = await ask(30, (node) => node.api('POST', '/sign-in-links', { key: null, body: { email: 'nobody@example.org' } }))
    expect(passed(answers).map(({ status }) => status)).to.deep.equal(Array(20).fill(202))
  })

  it('does not ask the database for callers that are known to be over it, and keeps no old counters', async () => {
    const key = await world.nodes[0]!.newKey()
    await clock.advance(60_000, async () => {})
    const [node] = world.nodes as [TestNodes['nodes'][0]]
    for (let i = 0; i < limit + 20; i++) await node.api('GET', '/addresses', { key })
    const counts = () => rawSql<{ calls: number }>(node.app.db, `select calls from call_counts where name like 'requests %' order by ends_at`)
    expect((await counts()).map(({ calls }) => calls)).to.include(limit + 1)
    for (let i = 0; i < 3; i++) {
      await clock.advance(60_000, async () => {})
      await node.api('GET', '/addresses', { key })
    }
    let left: unknown[]
    do left = (await counts()).map(({ calls }) => calls)
    while (left.length > 3) // they are removed after the answer
    expect(left).to.deep.equal([1, 1, 1])
  })

  it('that cannot be counted is answered as any other request that needs the database', async () => {
    const [node] = world.nodes as [TestNodes['nodes'][0]]
    await rawSql(node.app.db, 'alter table call_counts rename to call_counts_away')
    expect((await node.api('GET', '/addresses', { key: null })).status).to.equal(500)
    await rawSql(node.app.db, 'alter table call_counts_away rename to call_counts')
    expect((await node.api('GET', '/addresses', { key: null })).status).to.equal(401)
  })
})
