import { expect } from 'chai'
import { Mayfly, TimeoutError } from '@mayfly-mail/sdk'
import { addressId, idAt, openFakeMailbox } from './fake-mailbox.ts'
import type { FakeMailbox } from './fake-mailbox.ts'
import { rejectionOf } from './rejection.ts'

describe('SDK waitFor: order', () => {
  let mailbox: FakeMailbox
  let sdk: Mayfly

  beforeEach(async () => {
    mailbox = await openFakeMailbox()
    sdk = new Mayfly({ apiKey: 'svc_test_key', baseUrl: mailbox.url })
  })
  afterEach(() => mailbox[Symbol.asyncDispose]())

  it('finds an earlier mail that becomes visible after a later one, from a fixed position', async () => {
    await sdk.addresses.create()
    const { now } = mailbox
    const waiting = sdk.emails.waitFor({ addressId, after: idAt(now, 0), subject: 'code' })
    await mailbox.requested(2)
    mailbox.publish({ at: now + 2000, subject: 'News' })
    const late = mailbox.publish({ at: now + 1000, subject: 'Your code' })
    expect((await waiting).id).to.equal(late)
    expect(mailbox.requests.at(-1)).to.include(`after=${idAt(now, 0)}`)
  })

  it('returns the oldest match', async () => {
    await sdk.addresses.create()
    mailbox.publish({ at: mailbox.now - 1000, subject: 'News' })
    const first = mailbox.publish({ at: mailbox.now - 900, subject: 'Code 1' })
    const second = mailbox.publish({ at: mailbox.now - 800, subject: 'Code 2' })
    expect((await sdk.emails.waitFor({ addressId, subject: 'code' })).id).to.equal(first)
    expect((await sdk.emails.waitFor({ addressId, subject: 'code' })).id).to.equal(second)
  })

  it('still returns a mail that becomes visible late, when a later one was returned before', async () => {
    await sdk.addresses.create()
    const { now } = mailbox
    const passed = mailbox.publish({ at: now, subject: 'News' })
    const later = mailbox.publish({ at: now + 2000, subject: 'Code 2' })
    expect((await sdk.emails.waitFor({ addressId, subject: 'code' })).id).to.equal(later)
    const late = mailbox.publish({ at: now + 1000, seq: 0, subject: 'Code 1' })
    expect((await sdk.emails.waitFor({ addressId })).id).to.equal(late)
    const next = mailbox.publish({ at: now + 3000 })
    expect((await sdk.emails.waitFor({ addressId })).id).to.equal(next).and.not.equal(passed)
  })

  it('continues after the newest mail that list or get has returned, at an address of the client', async () => {
    await sdk.addresses.create()
    const { now } = mailbox
    mailbox.publish({ at: now })
    const listed = mailbox.publish({ at: now + 1 })
    await sdk.emails.list({ addressId, limit: 1 })
    expect(await rejectionOf(sdk.emails.waitFor({ addressId, timeoutMs: 50 }))).to.be.instanceOf(TimeoutError)
    expect(mailbox.queries().at(-1)!['after']).to.equal(listed)
    mailbox.publish({ at: now + 2 })
    const got = mailbox.publish({ at: now + 3 })
    await sdk.emails.get(got)
    const next = mailbox.publish({ at: now + 4 })
    expect((await sdk.emails.waitFor({ addressId })).id).to.equal(next)
  })

  it('begins with the call at an address of another client, regardless of the clocks', async () => {
    mailbox.now = Date.UTC(1999, 0, 1)
    mailbox.publish({ at: mailbox.now - 60_000 })
    const waiting = sdk.emails.waitFor({ addressId })
    await mailbox.requested(2)
    const fresh = mailbox.publish({ at: mailbox.now })
    expect((await waiting).id).to.equal(fresh)
  })

  it('misses no mail that arrives during the first request, also when that fails', async () => {
    let arrived = ''
    mailbox.intercept = (request, _response, nth) => {
      if (nth !== 1) return false
      arrived = mailbox.publish({ at: mailbox.now })
      mailbox.now += 20
      request.socket.destroy()
      return true
    }
    expect((await sdk.emails.waitFor({ addressId })).id).to.equal(arrived)
  })

  it('does not return mail again that was returned shortly before the call', async () => {
    const shown = mailbox.publish({ at: mailbox.now })
    await sdk.emails.list({ addressId })
    const waiting = sdk.emails.waitFor({ addressId })
    await mailbox.requested(4)
    const fresh = mailbox.publish({ at: mailbox.now + 1 })
    expect((await waiting).id).to.equal(fresh).and.not.equal(shown)
  })

  it('returns the same mail to concurrent waits', async () => {
    await sdk.addresses.create()
    const both = Promise.all([sdk.emails.waitFor({ addressId, from: 'shop' }), sdk.emails.waitFor({ subject: 'hello', addressId })])
    await mailbox.requested(3)
    const id = mailbox.publish()
    expect((await both).map((email) => email.id)).to.deep.equal([id, id])
  })

  it('reads a backlog of many pages once, and finds the oldest that matches', async () => {
    await sdk.addresses.create()
    const { now } = mailbox
    const ids = Array.from({ length: 250 }, (_, i) => mailbox.publish({ at: now - 1_000_000 + i, seq: 0 }))
    const waiting = sdk.emails.waitFor({ addressId, subject: /code/ })
    await mailbox.requested(1 + 3 + 1)
    mailbox.publish({ at: now, subject: 'Your code' })
    expect((await waiting).subject).to.equal('Your code')
    expect(mailbox.queries().map(({ before }) => before)).to.deep.equal([undefined, ids[150], ids[50]])
    expect((await sdk.emails.waitFor({ addressId, after: ids[0] })).id).to.equal(ids[1])
  })
})
