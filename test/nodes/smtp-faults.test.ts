import { expect } from 'chai'
import { openNodes } from '../support/nodes.ts'
import { playSession } from '../support/play-session.ts'

describe('Nodes: SMTP faults', function () {
  it('are counted together: a step is taken as often as it says by all nodes', async () => {
    await using world = await openNodes(2)
    const [one] = world.nodes as [typeof world.nodes[0]]
    const { id, address } = await one.newAddress()
    const { status } = await one.api('PUT', `/addresses/${id}/smtp-faults`, { body: { steps: [{ at: 'rcpt', code: 451, times: 25 }] } })
    expect(status).to.equal(200)
    const codes: number[] = []
    const tryOnce = async (node: typeof one) => {
      await playSession(node.smtp, [['EHLO app.example', 250], ['MAIL FROM:<a@b.example>', 250], [`RCPT TO:<${address}>`, 451]])
        .then(() => codes.push(451), () => codes.push(250))
    }
    await Promise.all(world.nodes.flatMap((node) => Array.from({ length: 5 }, async () => {
      for (let left = 4; left > 0; left--) await tryOnce(node)
    })))
    expect(codes.filter((code) => code === 451)).to.have.length(25)
    expect((await one.api('GET', `/addresses/${id}/activity`)).body.total).to.equal(25)
    expect((await one.api('GET', `/addresses/${id}/smtp-faults`)).body.data.steps).to.deep.equal([])
  })
})
