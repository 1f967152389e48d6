import { expect } from 'chai'
import { openEndpoint } from '../support/endpoint.ts'
import { readEvents } from '../support/event-reader.ts'
import { openNodes } from '../support/nodes.ts'
import type { TestNodes } from '../support/nodes.ts'
import { openWaits } from '../support/open-waits.ts'
import { rawSql } from '../support/store/raw-sql.ts'

describe('Nodes: wake-ups', function () {

  let world: TestNodes
  beforeEach(async () => { world = await openNodes(2, { env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } }) })
  afterEach(() => world[Symbol.asyncDispose]())

  it('end a wait at one node with mail that another one received', async () => {
    const [a, b] = world.nodes as [TestNodes['nodes'][0], TestNodes['nodes'][0]]
    const { id, address } = await a.newAddress()
    const waiting = b.api('GET', `/emails/wait?address_id=${id}&timeout=20`)
    await openWaits(b, 1)
    await a.send({ to: address, subject: 'Across' })
    const { status, body } = await waiting
    expect(status).to.equal(200)
    expect(body.data.subject).to.equal('Across')
  })

  it('end a wait after the connections for notices were lost', async () => {
    const [a, b] = world.nodes as [TestNodes['nodes'][0], TestNodes['nodes'][0]]
    const { id, address } = await a.newAddress()
    const waiting = b.api('GET', `/emails/wait?address_id=${id}&timeout=20`)
    await openWaits(b, 1)
    await rawSql(a.app.db, `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mayfly notices' and datname = current_database()`)
    await a.send({ to: address, subject: 'Unannounced' })
    expect((await waiting).body.data.subject).to.equal('Unannounced')
  })

  it('hand all events to a stream once and in one order, also when it goes on at another node', async () => {
    const [a, b] = world.nodes as [TestNodes['nodes'][0], TestNodes['nodes'][0]]
    const first = await readEvents(a.url, a.key)
    const second = await readEvents(b.url, b.key)
    await Promise.all(Array.from({ length: 20 }, (_, i) => world.nodes[i % 2]!.newAddress()))
    await Promise.all([first.until(20), second.until(20)])
    const ids = first.events.map(({ id }) => id)
    expect(new Set(ids).size).to.equal(20)
    expect(second.events.map(({ id }) => id)).to.deep.equal(ids)

    const moved = await readEvents(b.url, b.key, { 'last-event-id': ids[9]! })
    await moved.until(10)
    expect(moved.events.map(({ id }) => id)).to.deep.equal(ids.slice(10))
    for (const reader of [first, second, moved]) reader.drop()
  })

  it('deliver each event to a webhook once, whichever node delivers it', async () => {
    await using endpoint = await openEndpoint()
    const allDelivered = Promise.withResolvers<void>()
    endpoint.answer = () => { if (endpoint.deliveries.length === 20) allDelivered.resolve() }
    const [a] = world.nodes as [TestNodes['nodes'][0]]
    const { status } = await a.api('POST', '/webhooks', { body: { url: endpoint.url, events: ['address.created'] } })
    expect(status).to.equal(201)
    const created = await Promise.all(Array.from({ length: 20 }, (_, i) => world.nodes[i % 2]!.newAddress()))
    await allDelivered.promise
    for (const node of world.nodes) await node.settled()
    const delivered = endpoint.deliveries.map(({ event }) => event.data['addressId'])
    expect(delivered.toSorted()).to.deep.equal(created.map(({ id }) => id).toSorted())
  })
})
