import { expect } from 'chai'
import { openNodes } from '../support/nodes.ts'
import { openReceiver } from '../support/receiver.ts'

describe('Nodes: mail that leaves the server', function () {

  it('is exactly as much as the limit at two nodes together', async function () {
    this.timeout(600_000) // for 40 mails at two nodes beside other work
    await using receiver = await openReceiver()
    await using world = await openNodes(2, { env: { MAYFLY_OUTBOUND: `smtp://127.0.0.1:${receiver.port}`, MAYFLY_MAX_DAILY_MAILS: '15' } })
    const [first] = world.nodes
    const { id } = await first!.newAddress()
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => world.nodes[i % 2]!.api('POST', '/emails', {
      body: { fromAddressId: id, to: `a@${i}.example`, subject: 'Hello', body: 'Hello.' },
    })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 202)).to.have.length(15)
    expect(statuses.filter((status) => status === 429)).to.have.length(25)
    await Promise.all(world.nodes.map((node) => node.settled()))
    await first!.settled()
    expect(receiver.mails).to.have.length(15)
  })
})
