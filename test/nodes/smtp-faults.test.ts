import { expect } from 'chai'
import { openNodes } from '../support/nodes.ts'
import { openSession } from '../support/play-session.ts'

describe('Nodes: SMTP faults', function () {
  it('are counted together: a step is taken as often as it says by all nodes', async () => {
    await using world = await openNodes(2)
    const [one] = world.nodes as [typeof world.nodes[0]]
    const { id, address } = await one.newAddress()
    const { status } = await one.api('PUT', `/addresses/${id}/smtp-faults`, { body: { steps: [{ at: 'rcpt', code: 451, times: 25 }] } })
    expect(status).to.equal(200)
    const codes: number[] = []
    const tryOnce = async (node: typeof one) => {
      await using session = await openSession(node.smtp)
      await session.play([['EHLO app.example', 250], ['MAIL FROM:<a@b.example>', 250]])
      session.send(`RCPT TO:<${address}>\r\n`)
      codes.push(Number((await session.reply()).slice(0, 3)))
    }
    await Promise.all(world.nodes.flatMap((node) => Array.from({ length: 5 }, async () => {
      for (let left = 4; left > 0; left--) await tryOnce(node)
    })))
    expect(codes.toSorted()).to.deep.equal([...Array<number>(15).fill(250), ...Array<number>(25).fill(451)])
    expect((await one.api('GET', `/addresses/${id}/activity`)).body.total).to.equal(25)
    expect((await one.api('GET', `/addresses/${id}/smtp-faults`)).body.data.steps).to.deep.equal([])
  })
})
