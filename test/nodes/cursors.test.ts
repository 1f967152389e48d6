import { Readable } from 'node:stream'
import { expect } from 'chai'
import { openNodes } from '../support/nodes.ts'
import type { TestNodes } from '../support/nodes.ts'
import { lockRows } from '../support/store/lock-rows.ts'
import { rawSql } from '../support/store/raw-sql.ts'

/** Time after which a node may give a cursor behind a mail of which it does not know. */
const marginMs = 250

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
  const now = async () => (await rawSql<{ time: number }>(a.app.db, 'select extract(epoch from clock_timestamp())::float8 * 1000 as time'))[0]!.time
  /** Resolves when a mail that is arriving now may be missing behind a cursor. */
  async function overdue() {
    const begun = await now()
    while (await now() < begun + 2 * marginMs) await new Promise(setImmediate)
  }
  async function arriving(node: typeof a) {
    while (node.app.arriving.size === 0) await new Promise(setImmediate)
  }

  it('do not pass mail that is arriving at another node, however long it takes', async () => {
    const { id, address } = await a.newAddress()
    const held = await lockRows(world.database, 'addresses', id)
    const sent = outcome(b.send({ to: address, subject: 'Held back' }))
    await arriving(b)
    await overdue()
    const cursor = await cursorAt(a, id)
    await held.release()
    expect(await sent).to.equal(250)
    const { status, body } = await waitAfter(a, id, cursor)
    expect(status).to.equal(200)
    expect(body.data.subject).to.equal('Held back')
    expect(body.data.id > cursor).to.equal(true)
  })

  it('advance again when the mail is published', async () => {
    const { id, address } = await a.newAddress()
    await b.send({ to: address })
    const [email] = await b.listEmails({ address_id: id })
    while (await cursorAt(a, id) <= email!.id) await new Promise(setImmediate)
    const rows = () => rawSql(a.app.db, 'select id from nodes where arriving_since is not null')
    while ((await rows()).length > 0) await new Promise(setImmediate)
    expect((await waitAfter(a, id, await cursorAt(a, id), 1)).status).to.equal(204)
  })

  it('do not pass late mail of which its node has not told: it is stored as mail that arrives later', async () => {
    const { id, address } = await a.newAddress()
    const node = await lockRows(world.database, 'nodes', b.app.node.id)
    const held = await lockRows(world.database, 'addresses', id)
    const sent = outcome(b.send({ to: address, subject: 'Late' }))
    await arriving(b)
    const [first] = b.app.arriving.keys()
    await overdue()
    const cursor = await cursorAt(a, id)
    expect(first! < cursor).to.equal(true)
    await held.release()
    await node.release()
    expect(await sent).to.equal(250)
    expect((await waitAfter(a, id, cursor)).body.data.subject).to.equal('Late')
    expect(await a.listEmails({ address_id: id })).to.have.length(1)
  })

  it('do not pass long mail that is late: it is refused, and leaves nothing', async () => {
    const { id, address } = await a.newAddress()
    let held: { release(): Promise<void> }[] = []
    const jobs = () => rawSql<{ id: string }>(a.app.db, "select id from jobs where task = 'discard-message'")
    async function* text() {
      yield 'x'.repeat(70).concat('\n').repeat(30_000)
      while ((await jobs()).length === 0) await new Promise(setImmediate) // a part of the mail is stored
      const [{ id: jobId }] = await jobs() as [{ id: string }]
      held = [await lockRows(world.database, 'nodes', b.app.node.id), await lockRows(world.database, 'jobs', jobId)]
    }
    const sent = outcome(b.send({ to: address, subject: 'Long and late', text: Readable.from(text()) }))
    await arriving(b)
    await overdue()
    const cursor = await cursorAt(a, id)
    for (const lock of held) await lock.release()
    expect(await sent).to.equal(451)
    expect((await waitAfter(a, id, cursor, 1)).status).to.equal(204)
    expect(await rawSql(a.app.db, 'select message_id from message_chunks')).to.deep.equal([])
  })

  it('do not pass long mail that was accepted by another node and waits to be parsed', async () => {
    const { id, address } = await a.newAddress()
    const held = await lockRows(world.database, 'addresses', id)
    await b.send({ to: address, subject: 'Long', text: 'x'.repeat(70).concat('\n').repeat(30_000) })
    expect(b.app.arriving.size).to.equal(0) // any node may publish it
    await overdue()
    const cursor = await cursorAt(a, id)
    await held.release()
    expect((await waitAfter(a, id, cursor)).body.data.subject).to.equal('Long')
  })

  it('of waits, with mail of the last moments, return each mail once, at any node', async () => {
    const { id, address } = await a.newAddress()
    for (const subject of ['1', '2', '3']) await b.send({ to: address, subject })
    let cursor = (await a.api('GET', `/addresses/${id}`)).body.data.id as string
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

  it('with any numbers of events are accepted', async () => {
    const { id, address } = await a.newAddress()
    await a.send({ to: address, subject: 'Here' })
    const time = id.slice(0, 13)
    for (const rest of ['8000-8000-000000000000', '8fff-bfff-ffffffffffff', '8000-8000-00004fffffff']) {
      const { status, body } = await waitAfter(a, id, `${time}-${rest}`)
      expect([status, body.data?.subject]).to.deep.equal([200, 'Here'])
      expect((await a.api('GET', `/emails?address_id=${id}&after=${time}-${rest}`)).body.data).to.have.length(1)
    }
  })
})
