import { expect } from 'chai'
import { openHangingServer } from '../support/receiver.ts'
import { openWebhooksWorld, shareWebhooksWorld } from './world.ts'
import type { WebhooksWorld } from './world.ts'

describe('Webhook URLs: one webhook a URL, account and mode', () => {
  const newWorld = shareWebhooksWorld()
  let world: WebhooksWorld
  beforeEach(async () => { world = await newWorld() })
  afterEach(() => world[Symbol.asyncDispose]())

  const create = (url: string, key = world.app.key) => world.app.api('POST', '/webhooks', { key, body: { url, events: ['email.received'] } })

  it('409 CONFLICT: refuses a URL that differs in case of the host, final dot, default port, fragment or percent-encoding alone', async () => {
    await create('https://hooks.example.com/a?b')
    for (const url of [
      'https://hooks.example.com/a?b', 'HTTPS://HOOKS.example.com/a?b', 'https://hooks.example.com./a?b', 'https://hooks.example.com:443/a?b',
      'https://hooks.example.com/a?b#c', 'https://hooks.example.com/./x/../a?b', 'https://hooks.example.com/%61?%62',
    ]) {
      const { status, body } = await create(url)
      expect([status, body], url).to.deep.equal([409, {
        error: 'There is a webhook for this URL already. Change it, or delete it first.', code: 'CONFLICT',
      }])
    }
    const others = ['http://hooks.example.com/a?b', 'https://hooks.example.com:8443/a?b', 'https://hooks.example.com/A?b', 'https://hooks.example.com/a?c']
    for (const url of others) expect((await create(url)).status, url).to.equal(201)
    const codes = ['%C3%A9', '%c3%a9', '%2F', '/', '%2f']
    expect(await Promise.all(codes.map(async (code) => (await create(`https://hooks.example.com/${code}`)).status)))
      .to.have.members([201, 409, 201, 201, 409])
  })

  for (const [host, spellings] of [
    ['127.0.0.1', [
      '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:FFFF:7f00:0001]', '0x7f.1', '2130706433', '017700000001', '127.1', '127.0.0.1.',
      '0.0.0.0', '0', '[::ffff:0:0]', '[64:ff9b::7f00:1]', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]',
    ]],
    ['[::1]', ['[::]', '[0:0:0:0:0:0:0:1]', '[::0.0.0.1]']],
    ['localhost', ['localhost.', 'LOCALHOST', 'ｌocalhost']],
    ['xn--bcher-kva.example', ['bücher.example', 'BÜCHER.example.', 'bu\u0308cher.example', 'bücher。example']],
  ] as const) {
    it(`409 CONFLICT: refuses other spellings of the host ${host}`, async () => {
      expect((await create(`http://${host}:8081/a`)).status).to.equal(201)
      for (const spelling of spellings) {
        const url = new URL(`http://${spelling}:8081/a`)
        expect((await create(spelling.match(/^[!-~]*$/) ? `http://${spelling}:8081/a` : url.href)).status, spelling).to.equal(409)
      }
    })
  }

  it('refuses one of two that are created at once', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => create('https://hooks.example.com/')))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409])
  })

  it('refuses a change to the URL of another webhook, and takes other changes and the own URL', async () => {
    const [one, two] = [(await create('https://hooks.example.com/1')).body.data, (await create('https://hooks.example.com/2')).body.data]
    const patch = async (body: object) => (await world.app.api('PATCH', `/webhooks/${two.id}`, { body })).status
    expect(await patch({ url: 'https://hooks.example.com:443/1' })).to.equal(409)
    expect(await patch({ url: 'https://HOOKS.example.com/2', events: ['email.deleted'] })).to.equal(200)
    await world.app.api('DELETE', `/webhooks/${one.id}`)
    expect(await patch({ url: 'https://hooks.example.com/1' })).to.equal(200)
  })

  it('takes the URL of another account and of the other mode', async () => {
    const { app } = world
    const keys = [app.key, await app.newKey(), await app.newKey({ account: app.account, isTest: true })]
    for (const key of keys) expect((await create('https://hooks.example.com/', key)).status).to.equal(201)
  })
})

describe('Webhook deliveries: several webhooks at a site', () => {
  const newWorld = shareWebhooksWorld()

  it('are made ten a second, except the first of each event; none is lost, and another site is not delayed', async () => {
    await using world = await newWorld()
    const { app, endpoint, subscribe } = world
    const start = world.now()
    const times: number[] = []
    endpoint.answer = ({ path }) => { if (path !== '/other') times.push(world.now() - start) }
    for (let i = 0; i < 30; i++) { // half of them by another spelling of the host
      await subscribe({ events: ['address.created'], ...(i % 2 && { url: `http://[::ffff:7f00:1]:${endpoint.port}/?${i}` }) })
    }
    await subscribe({ events: ['address.created'], url: `http://other.localhost:${endpoint.port}/other` })
    for (let i = 0; i < 10; i++) await app.newAddress()
    await app.settled()
    expect(times).to.have.length(11) // ten events at once, and the first of the others
    expect(endpoint.deliveries.filter(({ path }) => path === '/other')).to.have.length(10)
    await app.advance({ seconds: 30 })
    expect(times).to.have.length(300)
    expect(times.slice(11).every((time, i) => time === (i + 1) * 100)).to.equal(true)
    const posted = endpoint.deliveries.map(({ path, event }) => `${path} ${event.id}`)
    expect(new Set(posted).size).to.equal(310)
  })

  it('that hang hold eight connections at most', async () => {
    await using hanging = await openHangingServer()
    await using world = await openWebhooksWorld({ isRealTime: true })
    for (let i = 0; i < 20; i++) await world.subscribe({ url: `http://127.0.0.1:${hanging.port}/?${i}`, events: ['address.created'] })
    for (let i = 0; i < 6; i++) await world.app.newAddress()
    while (hanging.open < 8) await new Promise(setImmediate)
    expect(hanging.open).to.equal(8)
  })
})
