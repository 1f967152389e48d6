import { expect } from 'chai'
import { getEventListeners } from 'node:events'
import { Mayfly } from '@mayfly-mail/sdk'
import { addressId, json, openFakeMailbox } from './fake-mailbox.ts'
import type { FakeMailbox } from './fake-mailbox.ts'
import type { Answer } from './fault-server.ts'
import { atRealPace, quicken } from './quick-clock.ts'
import { rejectionOf } from './rejection.ts'

describe('SDK waitFor: faults', () => {
  let mailbox: FakeMailbox
  let sdk: Mayfly

  beforeEach(async () => {
    mailbox = await openFakeMailbox()
    sdk = new Mayfly({ apiKey: 'svc_test_key', baseUrl: mailbox.url, timeoutMs: 10_000 })
    await sdk.addresses.create()
  })
  afterEach(() => mailbox[Symbol.asyncDispose]())
  afterEach(atRealPace)

  /** Sets the answer of a single request. @param nth 1 is the request that creates the address */
  function fault(nth: number, answer: Answer) {
    mailbox.intercept = (request, response, count) => {
      if (count === nth) answer(request, response)
      return count === nth
    }
  }

  for (const [nth, what, subject] of [[2, 'wait', 'hello'], [2, 'list', /hello/i], [3, 'email', /hello/i]] as const) {
    it(`survives an answer that never comes in place of the ${what}`, async () => {
      quicken(50)
      sdk = new Mayfly({ apiKey: 'svc_test_key', baseUrl: mailbox.url, timeoutMs: 5_000 }) // a tenth of a second at this pace
      const id = mailbox.publish()
      fault(nth, () => {})
      expect((await sdk.emails.waitFor({ addressId, subject, timeoutMs: 3_000_000 })).id).to.equal(id) // a minute at this pace
    })
  }

  it('names an option that does not exist, and options that are no object', async () => {
    const misspelt = await rejectionOf(sdk.emails.waitFor({ subjekt: 'code' } as never))
    expect(misspelt.message).to.equal('emails.waitFor: unknown option subjekt. Did you mean subject?')
    const text = await rejectionOf(sdk.emails.waitFor('code' as never))
    expect(text.message).to.include('emails.waitFor: unknown option 0. Known are ')
    expect(mailbox.requests).to.have.length(1)
  })

  it('reports that the server never answered', async () => {
    mailbox.intercept = () => true
    const error = await rejectionOf(sdk.emails.waitFor({ addressId, timeoutMs: 50 }))
    expect(error.message).to.match(/^Waited 0\.1 s for an email with addressId "\S+"\. The last request failed: emails\.list got no answer from http:\S+ within/)
  })

  it('ends at once when it is aborted between two attempts, and leaves no timer', async () => {
    fault(2, json(503, {}, { 'retry-after': '40' }))
    using timers = watchTimers(40_000)
    const controller = new AbortController()
    const reason = new Error('enough')
    const waiting = rejectionOf(sdk.emails.waitFor({ addressId, signal: controller.signal, timeoutMs: Infinity }))
    await timers.set
    controller.abort(reason)
    expect(await waiting).to.equal(reason)
    expect(timers.pending).to.deep.equal(new Set())
    expect(getEventListeners(controller.signal, 'abort')).to.deep.equal([])
    expect(mailbox.requests).to.have.length(2)
  })

  it('ends at once when it is aborted during a request', async () => {
    mailbox.intercept = () => true
    const controller = new AbortController()
    const reason = new Error('enough')
    const waiting = rejectionOf(sdk.emails.waitFor({ addressId, signal: controller.signal }))
    await mailbox.requested(2)
    controller.abort(reason)
    expect(await waiting).to.equal(reason)
    expect(getEventListeners(controller.signal, 'abort')).to.deep.equal([])
  })

  it('sends nothing when it is aborted before', async () => {
    const reason = new Error('enough')
    expect(await rejectionOf(sdk.emails.waitFor({ addressId, signal: AbortSignal.abort(reason) }))).to.equal(reason)
    expect(mailbox.requests).to.have.length(1)
  })

  it('lists at most 10,000 mails of a backlog, and waits for the following ones one after the other', async () => {
    let [pages, emails] = [0, 0]
    const endless = new Mayfly({
      apiKey: 'svc_test_key',
      async fetch({ url }) {
        if (url.includes('/emails/wait')) return Response.json({ data: { id: 'z', addressId, from: '', fromName: '', subject: 'Your code' } })
        pages++
        const data = Array.from({ length: 100 }, () => ({ id: `a${emails++}`, addressId, from: '', fromName: '', subject: 'Hello' }))
        return Response.json({ data, total: 1_000, hasMore: true, cursor: 'a' })
      },
    })
    expect((await endless.emails.waitFor({ addressId, after: addressId, subject: /code/ })).id).to.equal('z')
    expect(pages).to.equal(101)
  })
})

/** Watches the timers of a minimum duration that are set and cleared; `set` resolves with the first. */
function watchTimers(fromMs: number) {
  const { setTimeout, clearTimeout } = globalThis
  const pending = new Set<unknown>()
  const { promise: set, resolve } = Promise.withResolvers<void>()
  globalThis.setTimeout = ((run: () => void, ms: number) => {
    const timer = setTimeout(run, ms)
    if (ms >= fromMs) pending.add(timer)
    if (ms >= fromMs) resolve()
    return timer
  }) as typeof setTimeout
  globalThis.clearTimeout = (timer) => {
    pending.delete(timer)
    clearTimeout(timer)
  }
  return { set, pending, [Symbol.dispose]: () => Object.assign(globalThis, { setTimeout, clearTimeout }) }
}
