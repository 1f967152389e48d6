import { expect } from 'chai'
import { openNodes } from '../support/nodes.ts'
import type { TestNodes } from '../support/nodes.ts'
import { readEvents } from '../support/event-reader.ts'
import { join } from '../support/members.ts'
import { signIn } from '../support/sessions.ts'
import { createApiKey, deleteAccount, emailOf, revokeApiKey } from '../support/store/accounts.ts'

describe('Nodes: revocation', function () {

  let world: TestNodes
  let first: TestNodes['nodes'][0]
  let second: TestNodes['nodes'][0]
  before(async () => {
    world = await openNodes(2)
    ;[first, second] = world.nodes as [typeof first, typeof second]
  })
  after(() => world[Symbol.asyncDispose]())

  it('of a key at one node holds at once at another one, which has the key in memory', async () => {
    const { id, key } = await createApiKey(first, first.account)
    for (const { api } of world.nodes) expect((await api('GET', '/addresses', { key })).status).to.equal(200)
    await revokeApiKey(first, id)
    for (const { api } of world.nodes) expect((await api('GET', '/addresses', { key })).status).to.equal(401)
  })

  it('of a key ends the streams that another node has open for it', async () => {
    const { id, key } = await createApiKey(first, first.account)
    const reader = await readEvents(second.url, key)
    await first.newAddress()
    await reader.until(1)
    await revokeApiKey(first, id)
    await first.newAddress()
    await reader.ended
    expect(reader.events).to.have.length(1)
  })

  it('by the end of a key holds at once at all nodes, which have it in memory', async () => {
    const { key } = await createApiKey(first, first.account, { expiresIn: 2 })
    const statuses = () => Promise.all(world.nodes.map(async ({ api }) => (await api('GET', '/addresses', { key })).status))
    expect(await statuses()).to.deep.equal([200, 200])
    while ((await first.api('GET', '/addresses', { key })).status === 200);
    expect(await statuses()).to.deep.equal([401, 401])
    expect((await second.api('GET', '/addresses', { key })).body.error).to.match(/^The API key ended at /)
  })

  it('of a member ends at once the sessions and streams that another node has of it', async () => {
    const owner = await signIn(first)
    const member = await join(first, owner, { role: 'viewer' })
    const at = (url: string, path: string) => fetch(`${url}/api/v1${path}`, { headers: { cookie: member.cookie } })
    const reader = (await at(second.url, '/events')).body!.getReader()
    await reader.read()
    await owner.api('DELETE', `/members/${member.id}`)
    for (const { url } of world.nodes) expect((await at(url, '/account')).status).to.equal(401)
    await owner.api('POST', '/addresses', { body: {} }) // an event wakes the stream
    let isOver = false
    while (!isOver) {
      const { done, value } = await reader.read()
      if (value) expect(Buffer.from(value).toString()).to.not.include('address.created')
      isOver = done
    }
  })

  it('of an account stops its keys and its mail at all nodes', async () => {
    const key = await first.newKey()
    const { body: { data: { address } } } = await second.api('POST', '/addresses', { key, body: {} })
    await second.send({ to: address })
    await deleteAccount(first, await emailOf(first, key))
    for (const node of world.nodes) {
      expect((await node.api('GET', '/addresses', { key })).status).to.equal(401)
      expect(await node.send({ to: address }).then(() => 'accepted', (error: { responseCode?: number }) => error.responseCode)).to.equal(550)
    }
  })
})
