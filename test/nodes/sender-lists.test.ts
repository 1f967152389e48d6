import { expect } from 'chai'
import { openNodes } from '../support/nodes.ts'
import { openSession } from '../support/play-session.ts'
import type { Step } from '../support/play-session.ts'

describe('Nodes: senders of an address', function () {
  it('that one node changes hold at another one for the next recipient, also in a session that is open', async () => {
    await using world = await openNodes(2)
    const [one, two] = world.nodes as [typeof world.nodes[0], typeof world.nodes[0]]
    const { id, address } = await one.newAddress()
    const rcpt = (code: number): Step[] => [['MAIL FROM:<a@shop.example>', 250], [`RCPT TO:<${address}>`, code], ['RSET', 250]]
    await using session = await openSession(two.smtp)
    await session.play([['EHLO app.example', 250], ...rcpt(250)])
    expect((await one.api('PATCH', `/addresses/${id}`, { body: { blockedSenders: ['@shop.example'] } })).status).to.equal(200)
    await session.play(rcpt(550))
    await two.api('PATCH', `/addresses/${id}`, { body: { blockedSenders: null, allowedSenders: ['@github.com'] } })
    for (const { smtp } of world.nodes) {
      await using other = await openSession(smtp)
      await other.play([
        ['EHLO app.example', 250], ['MAIL FROM:<a@shop.example>', 250], [`RCPT TO:<${address}>`, 250], ['DATA', 354], ['From: a@shop.example\r\n\r\nb\r\n.', 550],
      ])
    }
    expect((await one.api('GET', `/addresses/${id}/activity`)).body.total).to.equal(3)
  })
})
