import { expect } from 'chai'
import { Mayfly, NotFoundError, TimeoutError } from '@mayfly-mail/sdk'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openWaits } from '../support/open-waits.ts'
import { sendRaw } from '../support/send-raw.ts'
import { rejectionOf } from './rejection.ts'

const nowhere = '019c0000-0000-7000-8000-000000000000'

describe('SDK waitFor: in real time', () => {
  let app: TestApp
  let sdk: Mayfly

  before(async () => { app = await openTestApp({ isRealTime: true }) })
  after(() => app[Symbol.asyncDispose]())
  beforeEach(() => { sdk = new Mayfly({ apiKey: app.key, baseUrl: app.url }) })
  const send = (to: string, subject: string) => sendRaw(app.smtp.port, to, `From: a@example.org\r\nSubject: ${subject}\r\n\r\nx\r\n`)

  it('is woken by the mail', async () => {
    const { id, address } = await sdk.addresses.create()
    for (let i = 0; i < 20; i++) {
      const waiting = sdk.emails.waitFor({ addressId: id })
      await openWaits(app, 1)
      await send(address, `n${i}`)
      expect((await waiting).subject).to.equal(`n${i}`)
    }
  })

  it('of 200 concurrent waits, each is woken by its mail', async () => {
    const addresses = await Promise.all(Array.from({ length: 200 }, () => sdk.addresses.create()))
    const waits = addresses.map(({ id }) => sdk.emails.waitFor({ addressId: id }))
    await openWaits(app, 200)
    for (let i = 0; i < 200; i += 50) {
      await Promise.all(addresses.slice(i, i + 50).map(({ address }) => send(address, address)))
    }
    for (const [i, waiting] of waits.entries()) expect((await waiting).subject).to.equal(addresses[i]!.address)
    expect(await openWaits(app)).to.equal(0)
  })

  it('never returns a stale mail, with any filter', async () => {
    await using app = await openTestApp()
    const client = new Mayfly({ apiKey: app.key, baseUrl: app.url })
    const { id, address } = await app.newAddress()
    for (const subject of ['Old 1', 'Old 2']) await app.send({ to: address, subject, text: 'x' })
    await app.advance({ minutes: 1 })
    for (const options of [{ addressId: id }, {}, { subject: 'Old' }, { subject: /Old|New/ }]) {
      expect(await rejectionOf(client.emails.waitFor({ ...options, timeoutMs: 150 }))).to.be.instanceOf(TimeoutError)
    }
    const waits = [{ addressId: id }, {}, { subject: 'new' }, { subject: /New/ }].map((options) => client.emails.waitFor(options))
    await openWaits(app, 4)
    await app.send({ to: address, subject: 'New', text: 'x' })
    for (const waiting of waits) expect((await waiting).subject).to.equal('New')
  })

  it('continues after the mail of another wait of the client, with and without a filter', async () => {
    const { id, address } = await sdk.addresses.create()
    for (const subject of ['Welcome', 'Code 1', 'Code 2']) await send(address, subject)
    expect((await sdk.emails.waitFor({ addressId: id, subject: 'code' })).subject).to.equal('Code 1')
    expect((await sdk.emails.waitFor({ addressId: id })).subject).to.equal('Code 2')
    const both = [sdk.emails.waitFor({ addressId: id }), sdk.emails.waitFor({ addressId: id, subject: /last/ })]
    await openWaits(app, 2)
    for (const subject of ['Third', 'The last']) await send(address, subject)
    expect((await Promise.all(both)).map(({ subject }) => subject)).to.deep.equal(['Third', 'The last'])
  })

  it('ends on the server when it is aborted', async () => {
    const { id } = await sdk.addresses.create()
    const controller = new AbortController()
    const waits = Array.from({ length: 20 }, () => rejectionOf(sdk.emails.waitFor({ addressId: id, signal: controller.signal })))
    await openWaits(app, 20)
    const reason = new Error('enough')
    controller.abort(reason)
    for (const error of await Promise.all(waits)) expect(error).to.equal(reason)
    await openWaits(app, 0)
  })

  it('reports an unknown address at once', async () => {
    expect(await rejectionOf(sdk.emails.waitFor({ addressId: nowhere }))).to.be.instanceOf(NotFoundError)
  })

  it('continues over a restart of the server', async () => {
    const first = await openTestApp({ isRealTime: true })
    const { port } = new URL(first.url)
    const client = new Mayfly({ apiKey: first.key, baseUrl: first.url })
    const { id, address } = await client.addresses.create()
    const waiting = client.emails.waitFor({ addressId: id })
    await openWaits(first, 1)
    await first.app.close()
    await using again = await openTestApp({ isRealTime: true, database: first.app.config.database, env: { MAYFLY_HTTP_PORT: port } })
    await sendRaw(again.smtp.port, address, 'Subject: after\r\n\r\nx\r\n')
    expect((await waiting).subject).to.equal('after')
  })
})
