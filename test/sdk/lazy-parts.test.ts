import { expect } from 'chai'
import { getEventListeners } from 'node:events'
import { addressId, openFakeMailbox } from './fake-mailbox.ts'
import type { FakeMailbox } from './fake-mailbox.ts'
import { bundleSdk } from './lazy-parts.ts'
import type { BundledSdk } from './lazy-parts.ts'
import { rejectionOf } from './rejection.ts'

describe('SDK: parts that load at their first use', () => {
  let mailbox: FakeMailbox
  let sdk: BundledSdk
  let mayfly: InstanceType<BundledSdk['Mayfly']>
  let now: number
  let timers: Map<() => void, number>

  beforeEach(async () => {
    mailbox = await openFakeMailbox()
    sdk = await bundleSdk()
    now = 0
    timers = new Map()
    sdk.clock.now = () => now
    sdk.clock.after = (ms, run) => {
      timers.set(run, now + ms)
      return () => timers.delete(run)
    }
    mayfly = new sdk.Mayfly({ apiKey: 'svc_test_key', baseUrl: mailbox.url })
  })
  afterEach(async () => {
    sdk?.release()
    await sdk?.[Symbol.asyncDispose]()
    await mailbox?.[Symbol.asyncDispose]()
  })

  /** Advances the clocks of the client and of the server. */
  function advance(ms: number) {
    now += ms
    mailbox.now += ms
    for (const [run, at] of timers) if (at <= now) run()
  }

  it('are not loaded by other operations', async () => {
    await sdk.removeParts()
    await mayfly.addresses.create()
    expect((await mayfly.emails.list({ addressId })).total).to.equal(0)
  })

  it('do not change where a wait begins: it returns mail that arrives while they load', async () => {
    mailbox.publish({ subject: 'before the call' })
    advance(60_000)
    const waiting = mayfly.emails.waitFor({ addressId })
    advance(2_000)
    const id = mailbox.publish({ subject: 'while it loads' })
    advance(3_000)
    sdk.release()
    expect((await waiting).id).to.equal(id)
  })

  it('do not change where a wait begins at an address of the client, whose mail another call returns meanwhile', async () => {
    await mayfly.addresses.create()
    const waiting = mayfly.emails.waitFor({ addressId })
    const id = mailbox.publish()
    await mayfly.emails.list({ addressId })
    sdk.release()
    expect((await waiting).id).to.equal(id)
  })

  it('do not change the options of a wait, which the caller may use again', async () => {
    await mayfly.addresses.create()
    const options = { addressId, subject: 'code' }
    const waiting = mayfly.emails.waitFor(options)
    options.subject = 'news'
    mailbox.publish({ subject: 'The news' })
    const id = mailbox.publish({ subject: 'The code' })
    sdk.release()
    expect((await waiting).id).to.equal(id)
  })

  it('count in the time of a wait', async () => {
    await mayfly.addresses.create()
    const waiting = rejectionOf(mayfly.emails.waitFor({ addressId, timeoutMs: 5_000 }))
    advance(4_999)
    expect(timers).to.have.property('size', 1)
    advance(1)
    expect(await waiting).to.be.instanceOf(sdk.TimeoutError).and.have.property('message', 'The part waitFor of @mayfly-mail/sdk was not loaded within 5000 ms')
    expect(mailbox.requests).to.have.length(1)
    expect(timers).to.have.property('size', 0)
  })

  it('end a wait with its signal, at once', async () => {
    const controller = new AbortController()
    const waiting = rejectionOf(mayfly.emails.waitFor({ addressId, signal: controller.signal }))
    const reason = new Error('no longer needed')
    controller.abort(reason)
    expect(await waiting).to.equal(reason)
    expect(getEventListeners(controller.signal, 'abort')).to.have.length(0)
    expect(mailbox.requests).to.deep.equal([])
  })

  it('end a subscription with its signal, at once and without an error', async () => {
    const controller = new AbortController()
    const next = mayfly.events.subscribe({ signal: controller.signal }).next()
    controller.abort()
    expect(await next).to.deep.equal({ done: true, value: undefined })
    expect(mailbox.requests).to.deep.equal([])
  })

  it('are named by the error when they cannot be loaded', async () => {
    await sdk.removeParts()
    const waiting = await rejectionOf(mayfly.emails.waitFor({ addressId }))
    expect(waiting).to.be.instanceOf(sdk.NetworkError).and.have.property('cause').that.has.property('code', 'ERR_MODULE_NOT_FOUND')
    expect(waiting.message).to.match(/^The part waitFor of @mayfly-mail\/sdk was not loaded: /)
    expect((await rejectionOf(mayfly.events.subscribe().next())).message).to.match(/^The part subscribe of @mayfly-mail\/sdk was not loaded: /)
  })
})
