import { expect } from 'chai'
import { openNodes } from '../support/nodes.ts'
import { rawRequest } from '../support/raw-request.ts'

describe('Nodes: metrics', function () {

  it('have a label with the node, except those of the database', async () => {
    await using world = await openNodes(1)
    const { text } = await rawRequest(world.nodes[0]!.url, { path: '/metrics' })
    const lines = text.split('\n').filter((line) => line.startsWith('mayfly_'))
    const isOfDatabase = (line: string) => /^mayfly_(jobs_|search_)/.test(line)
    expect(lines.filter(isOfDatabase).length).to.be.greaterThan(20)
    for (const line of lines) expect(line.includes(`/${process.pid}"`), line).to.equal(!isOfDatabase(line))
  })
})
