import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { webhooks } from '@mayfly-mail/sdk'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { runExample } from './run.ts'
import type { RunningExample } from './run.ts'

describe('Examples: webhook-receiver.ts', function () {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  let app: TestApp
  let receiver: RunningExample
  let url: string

  // signatures are valid for five minutes by the receiver's clock, which is the system's
  const newAccount = shareTestApp({ clock: testClock(Date.now()), env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } })
  beforeEach(async () => {
    app = await newAccount()
    receiver = runExample(app, 'webhook-receiver.ts', [], { PORT: '0', WEBHOOK_SECRET: secret })
    url = (await receiver.says(/^(http:\S+) receives email\.received, .*\n/))[1]!
  })
  afterEach(() => receiver?.[Symbol.asyncDispose]())

  const post = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    (await fetch(url, { method: 'POST', body, headers })).status
  const expired = (address: string) => ({ type: 'address.expired' as const, data: { addressId: 'a', address, expiresAt: new Date() } })

  it('prints each kind of event', async () => {
    const { id, address } = await app.newAddress({ alias: 'one', expiresIn: 3600 })
    await receiver.says(/^new one@mail\.localhost until \S+Z$/m)
    await app.send({ to: address, subject: 'Your \x1b[31mcode' })
    await receiver.says(/^mail { from: 'shop@example\.org', subject: 'Your \\x1B\[31mcode' }$/m)
    const email = await app.onlyEmail(id)
    await app.api('DELETE', `/emails/${email.id}`)
    await receiver.says(new RegExp(`^mail deleted ${email.id}$`, 'm'))
    await app.newAddress({ alias: 'two', expiresIn: 60 })
    await app.advance({ seconds: 61 })
    await receiver.says(/^expired two@mail\.localhost$/m)
    await app.api('DELETE', `/addresses/${id}`)
    await receiver.says(/^deleted one@mail\.localhost$/m)
  })

  it('answers 204, and drops repeated events', async () => {
    await app.newAddress({ alias: 'once' })
    await receiver.says(/once@/)
    const [webhook] = (await app.api('GET', '/webhooks')).body.data
    await app.settled()
    const deliveries = async () => (await app.api('GET', `/webhooks/${webhook.id}/deliveries`)).body.data
    const [first] = await deliveries()
    await app.api('POST', `/webhooks/${webhook.id}/deliveries/${first.id}/redeliver`)
    await app.settled()
    expect((await deliveries()).map((delivery: any) => delivery.responseStatus)).to.deep.equal([204, 204])
    await app.newAddress({ alias: 'last' })
    await receiver.says(/last@/)
    const { stdout } = await receiver.end('SIGINT')
    expect(stdout.match(/^new \w+/gm)).to.deep.equal(['new once', 'new last'])
  })

  it('answers 400 to a wrong signature, an old delivery and a long body, and ignores them', async () => {
    const forged = await webhooks.sign(expired('forged@x.example'), `whsec_${randomBytes(32).toString('base64')}`)
    expect(await post(forged.body, forged.headers)).to.equal(400)
    const changed = await webhooks.sign(expired('changed@x.example'), secret)
    expect(await post(changed.body.replace('changed', 'altered'), changed.headers)).to.equal(400)
    const old = await webhooks.sign(expired('old@x.example'), secret, { now: new Date(Date.now() - 600_000) })
    expect(await post(old.body, old.headers)).to.equal(400)
    expect(await post('{}')).to.equal(400)
    const right = await webhooks.sign(expired('right@x.example'), secret)
    expect(await post(right.body, right.headers)).to.equal(204)
    await receiver.says(/right@/)
    expect(await post(new Uint8Array(2_000_000)).catch(() => 'cut off')).to.be.oneOf([400, 'cut off'])
    const { stdout, stderr } = await receiver.end('SIGTERM')
    expect(stdout).to.match(/^http.*\nexpired right@x\.example\n$/)
    expect(stderr).to.equal('')
  })

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`removes its webhook on ${signal}`, async () => {
      expect((await app.api('GET', '/webhooks')).body.data).to.have.length(1)
      expect(await receiver.end(signal)).to.include({ code: 0, stderr: '' })
      expect((await app.api('GET', '/webhooks')).body.data).to.deep.equal([])
    })
  }
})

describe('Examples: webhook-receiver.ts at a server that posts to the public internet only', () => {
  it('exits with the remedy', async () => {
    await using app = await openTestApp()
    await using receiver = runExample(app, 'webhook-receiver.ts', [], { PORT: '0' })
    const { code, stderr } = await receiver.end()
    expect(code).to.equal(1)
    expect(stderr).to.include('MAYFLY_ALLOW_PRIVATE_WEBHOOKS=true')
  })
})
