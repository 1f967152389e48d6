import { expect } from 'chai'
import { openNodes } from '../support/nodes.ts'
import type { TestNodes } from '../support/nodes.ts'
import { lockRows } from '../support/store/lock-rows.ts'

describe('Nodes: cursors', function () {

  let world: TestNodes
  let a: TestNodes['nodes'][0]
  let b: TestNodes['nodes'][0]
  before(async () => {
    world = await openNodes(2)
    ;[a, b] = world.nodes as [typeof a, typeof b]
  })
  after(() => world[Symbol.asyncDispose]())

  const cursorAt = async (node: typeof a, addressId: string) =>
    (await node.api('GET', `/emails?address_id=${addressId}`)).body.cursor as string
  const waitAfter = (node: typeof a, addressId: string, cursor: string, seconds = 20) =>
    node.api('GET', `/emails/wait?address_id=${addressId}&after=${cursor}&timeout=${seconds}`)
  const outcome = (sent: Promise<void>) => sent.then(() => 250, (error: { responseCode?: number }) => error.responseCode)
  async function arriving(node: typeof a) {
    while (node.app.arriving.size === 0) await new Promise(setImmediate)
  }

  it('do not pass mail that is arriving at another node, however long it takes', async () => {
    const { id, address } = await a.newAddress()
    const held = await lockRows(world.database, 'addresses', id)
    const sent = outcome(b.send({ to: address, subject: 'Held back' }))
    await arriving(b)
    const cursor = await cursorAt(a, id)
    await held.release()
    expect(await sent).to.equal(250)
    const { status, body } = await waitAfter(a, id, cursor)
    expect(status).to.equal(200)
    expect(body.data.subject).to.equal('Held back')
  })

  it('pass mail when it is published', async () => {
    const { id, address } = await a.newAddress()
    await b.send({ to: address })
    expect((await waitAfter(a, id, await cursorAt(a, id), 0)).status).to.equal(204)
  })

  it('do not pass long mail that was accepted by another node and waits to be parsed', async () => {
    const { id, address } = await a.newAddress()
    const held = await lockRows(world.database, 'addresses', id)
    await b.send({ to: address, subject: 'Long', text: 'x'.repeat(70).concat('\n').repeat(30_000) })
    expect(b.app.arriving.size).to.equal(0) // any node may publish it
    const cursor = await cursorAt(a, id)
    await held.release()
    expect((await waitAfter(a, id, cursor)).body.data.subject).to.equal('Long')
  })

  it('of waits, with mail of the last moments, return each mail once, at any node', async () => {
    const { id, address } = await a.newAddress()
    for (const subject of ['1', '2', '3']) await b.send({ to: address, subject })
    let cursor = (await a.api('GET', `/addresses/${id}`)).body.data.id as string // an id that no email has
    for (const [i, node] of [a, b, a].entries()) {
      const { body, headers } = await waitAfter(node, id, cursor)
      expect(body.data.subject).to.equal(String(i + 1))
      cursor = headers.get('x-mayfly-cursor')!
    }
    for (const node of [b, a]) {
      const { status, headers } = await waitAfter(node, id, cursor, 0)
      expect(status).to.equal(204)
      cursor = headers.get('x-mayfly-cursor')!
    }
    await a.send({ to: address, subject: '4' })
    expect((await waitAfter(b, id, cursor)).body.data.subject).to.equal('4')
  })

  it('of waits do not pass mail that arrived earlier and is published later', async () => {
    const [early, late] = [await a.newAddress(), await a.newAddress()]
    const held = await lockRows(world.database, 'addresses', early.id)
    const sent = outcome(b.send({ to: early.address, subject: 'Early' }))
    await arriving(b)
    await a.send({ to: late.address, subject: 'Late' })
    const waitForAny = (cursor: string) => a.api('GET', `/emails/wait?after=${cursor}`)
    const first = await waitForAny(late.id)
    expect(first.body.data.subject).to.equal('Late')
    await held.release()
    expect(await sent).to.equal(250)
    const second = await waitForAny(first.headers.get('x-mayfly-cursor')!)
    expect(second.body.data.subject).to.equal('Early')
  })
})
