import { expect } from 'chai'
import { ConflictError, Mayfly, NotFoundError, TimeoutError } from '@mayfly-mail/sdk'
import type { Inbox } from '@mayfly-mail/sdk'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rejectionOf } from './rejection.ts'

describe('SDK: an inbox', () => {
  let app: TestApp
  let mayfly: Mayfly

  before(async () => {
    app = await openTestApp({ isRealTime: true })
    mayfly = new Mayfly({ apiKey: app.key, baseUrl: app.url })
  })
  after(() => app?.[Symbol.asyncDispose]())

  const deliver = (inbox: Inbox, subject: string) => app.send({ to: inbox.address, subject, text: 'Hello' })

  it('is an address with the requested properties', async () => {
    await using inbox = await mayfly.inboxes.create({ alias: 'Checkout', expiresIn: 600 })
    expect(inbox.address).to.equal('checkout@mail.localhost')
    const { id, address, expiresAt } = await mayfly.addresses.get(inbox.id)
    expect({ ...inbox }).to.deep.equal({ id, address, expiresAt, smtp: null })
    expect(await rejectionOf(mayfly.inboxes.create({ alias: 'checkout' }))).to.be.instanceOf(ConflictError)
  })

  it('returns each of its own mails once, from before and after the call', async () => {
    await using inbox = await mayfly.inboxes.create()
    await using neighbour = await mayfly.inboxes.create()
    await deliver(neighbour, 'not for us')
    await deliver(inbox, 'first')
    expect((await inbox.waitFor()).subject).to.equal('first')
    const waiting = inbox.waitFor({ subject: /third/, from: 'shop' })
    await deliver(inbox, 'second')
    await deliver(inbox, 'third')
    expect((await waiting).subject).to.equal('third')
    const error = await rejectionOf(inbox.waitFor({ timeoutMs: 200 }))
    expect(error).to.be.instanceOf(TimeoutError)
    expect((await inbox.waitFor({ after: new Date(0) })).subject).to.equal('first')
  })

  it('lists its own mail', async () => {
    await using inbox = await mayfly.inboxes.create()
    await using neighbour = await mayfly.inboxes.create()
    for (const subject of ['one', 'two']) await deliver(inbox, subject)
    await deliver(neighbour, 'not for us')
    await app.settled()
    const { data, total } = await inbox.list({ limit: 1, type: 'received' })
    expect(data.map(({ subject }) => subject)).to.deep.equal(['two'])
    expect(total).to.equal(2)
  })

  it('is deleted at the end of its block, also after an error', async () => {
    const ids: string[] = []
    const run = async () => {
      await using inbox = await mayfly.inboxes.create()
      ids.push(inbox.id)
      await deliver(inbox, 'Hello')
      await inbox.waitFor()
      throw new Error('the test failed')
    }
    expect((await rejectionOf(run())).message).to.equal('the test failed')
    expect(await rejectionOf(mayfly.addresses.get(ids[0]!))).to.be.instanceOf(NotFoundError)
    expect((await mayfly.emails.list()).data).to.deep.equal([])
  })

  it('can be deleted at any time, and repeatedly', async () => {
    await using inbox = await mayfly.inboxes.create()
    await inbox.delete()
    await inbox.delete()
    expect(await rejectionOf(inbox.waitFor())).to.be.instanceOf(NotFoundError)
  })

  it('reports a failed deletion', async () => {
    let isBroken = false
    const fetch = (request: Request) => isBroken ? Promise.reject(new TypeError('fetch failed')) : globalThis.fetch(request)
    const inbox = await new Mayfly({ apiKey: app.key, baseUrl: app.url, fetch, timeoutMs: 3_000 }).inboxes.create()
    isBroken = true
    expect(await rejectionOf(inbox.delete())).to.be.instanceOf(Error).and.not.be.instanceOf(NotFoundError)
  })
})
