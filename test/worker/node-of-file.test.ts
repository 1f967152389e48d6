import { expect } from 'chai'
import { pino } from 'pino'
import { openNode } from '../../server/worker/node.ts'
import { nodesOf, openNodesWorld } from '../support/store/nodes.ts'

describe('Nodes: a database file', () => {
  it('needs no beats, as one process has it for itself', async () => {
    await using world = await openNodesWorld()
    const db = await world.open()
    const node = await openNode({ db, clock: world.clock, log: pino({ level: 'silent' }) })
    expect(node.id).to.match(/^[0-9a-f-]{36}$/)
    await world.clock.advance(60_000, () => db.commit(async () => {}))
    expect(await nodesOf(db)).to.deep.equal([])
    await node.close()
  })
})
