import { expect } from 'chai'
import { getEventListeners } from 'node:events'
import { ApiError, Mayfly, NotFoundError, TimeoutError, UnexpectedAnswerError } from '@mayfly-mail/sdk'
import { openFakeClock } from './fake-clock.ts'
import { addressId, fixed, json, openFakeMailbox } from './fake-mailbox.ts'
import type { FakeMailbox } from './fake-mailbox.ts'
import type { Answer } from './fault-server.ts'
import { atRealPace, quicken } from './quick-clock.ts'
import { rejectionOf } from './rejection.ts'

describe('SDK waitFor: requests', () => {
  let mailbox: FakeMailbox
  let sdk: Mayfly

  beforeEach(async () => {
    mailbox = await openFakeMailbox()
    sdk = new Mayfly({ apiKey: 'svc_test_key', baseUrl: mailbox.url, timeoutMs: 10_000 })
    await sdk.addresses.create()
  })
  afterEach(() => mailbox[Symbol.asyncDispose]())
  afterEach(atRealPace)

  const waits = () => mailbox.requests.filter((request) => request.startsWith('GET /api/v1/emails/wait'))
    .map((request) => Object.fromEntries(new URLSearchParams(request.split('?')[1])))

  /** Sets the answer of requests that wait. */
  function fault(answer: Answer) {
    mailbox.intercept = (request, response) => {
      const isWait = request.url!.startsWith('/api/v1/emails/wait')
      if (isWait) answer(request, response)
      return isWait
    }
  }

  it('does not return mail that was visible before the call', async () => {
    const stranger = new Mayfly({ apiKey: 'svc_test_key', baseUrl: mailbox.url })
    const { now } = mailbox
    mailbox.publish({ at: now - 10_000 })
    const waiting = stranger.emails.waitFor({ addressId })
    await mailbox.requested(3)
    const fresh = mailbox.publish({ at: now + 1_000 })
    expect((await waiting).id).to.equal(fresh)
  })

  it('refuses a list without the time of the server, from which it cannot tell when the call was', async () => {
    const stranger = new Mayfly({ apiKey: 'svc_test_key', async fetch() {
      return Response.json({ data: [], total: 0, limit: 1, offset: 0, hasMore: false, cursor: 'c1-0' })
    } })
    expect(await rejectionOf(stranger.emails.waitFor({ timeoutMs: 50 }))).to.be.instanceOf(UnexpectedAnswerError)
  })

  it('still finds an earlier mail that becomes visible after one that does not match', async () => {
    const { now } = mailbox
    const waiting = sdk.emails.waitFor({ addressId, subject: /code/ })
    await mailbox.requested(3)
    mailbox.publish({ at: now + 2, subject: 'News' })
    await mailbox.requested(4)
    const late = mailbox.publish({ at: now + 1, subject: 'code' })
    expect((await waiting).id).to.equal(late)
  })

  it('does not return mail later that the server has skipped', async () => {
    const { now } = mailbox
    mailbox.publish({ at: now, subject: 'Welcome' })
    mailbox.publish({ at: now + 1, subject: 'Your code' })
    expect((await sdk.emails.waitFor({ addressId, subject: 'code' })).subject).to.equal('Your code')
    const waiting = sdk.emails.waitFor({ addressId })
    await mailbox.requested(3)
    mailbox.publish({ at: now + 2, subject: 'Next' })
    expect((await waiting).subject).to.equal('Next')
  })

  it('does not return skipped mail, and returns an earlier mail that becomes visible after it', async () => {
    const { now } = mailbox
    mailbox.publish({ at: now + 1, subject: 'Welcome' })
    mailbox.publish({ at: now + 2, subject: 'Your code' })
    expect((await sdk.emails.waitFor({ addressId, subject: 'code' })).subject).to.equal('Your code')
    mailbox.publish({ at: now, seq: 0, subject: 'Late' })
    expect((await sdk.emails.waitFor({ addressId })).subject).to.equal('Late')
    expect(await rejectionOf(sdk.emails.waitFor({ addressId, timeoutMs: 100 }))).to.be.instanceOf(TimeoutError)
  })

  it('lists the mail that arrived instead in its error', async () => {
    quicken(20)
    const start = performance.now()
    const waiting = rejectionOf(sdk.emails.waitFor({ addressId, subject: 'code', timeoutMs: 60_000 }))
    mailbox.publish({ subject: 'News', from: 'n@example.org' })
    expect((await waiting).message.replace(/^Waited [\d.]+ s/, 'Waited 60 s')).to.equal( // the time that has passed
      `Waited 60 s for an email with subject "code", addressId "${addressId}". Other mail arrived: "News" from n@example.org.`,
    )
    expect(performance.now() - start).to.be.at.least(2_990)
  })

  it('ends at once when it is aborted, also on the server', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const waiting = rejectionOf(sdk.emails.waitFor({ addressId, signal: controller.signal }))
    await mailbox.requested(2)
    controller.abort(reason)
    expect(await waiting).to.equal(reason)
    expect(getEventListeners(controller.signal, 'abort')).to.deep.equal([])
    while (mailbox.waiting() > 0) await new Promise(setImmediate)
    expect(mailbox.requests).to.have.length(2)
  })

  const missing: [string, Answer][] = [
    ['501', json(501, { error: 'Not yet.', code: 'NOT_IMPLEMENTED' })],
    ['405', json(405, { error: 'No.', code: 'METHOD_NOT_ALLOWED' })],
    ['404 of another kind', fixed(404, 'text/html', '<h1>Not found</h1>')],
  ]
  for (const [name, answer] of missing) {
    it(`reports a server without this operation: ${name}`, async () => {
      fault(answer)
      expect(await rejectionOf(sdk.emails.waitFor({ addressId }))).to.be.instanceOf(ApiError)
      expect(waits(), 'it asks once').to.have.length(1)
    })
  }

  it('reports an unknown address', async () => {
    fault(json(404, { error: 'There is no address with this id.', code: 'NOT_FOUND' }))
    const error = await rejectionOf(sdk.emails.waitFor({ addressId }))
    expect(error).to.be.instanceOf(NotFoundError)
    expect(error.message).to.equal('There is no address with this id. (emails.wait: 404 NOT_FOUND)')
  })

  const faults: [string, Answer][] = [
    ['a 502 of a proxy', fixed(502, 'text/html', '<h1>Bad gateway</h1>')],
    ['a fault of the server', json(500, { error: 'Sorry.', code: 'INTERNAL_ERROR' })],
    ['a dropped connection', (request) => request.socket.destroy()],
  ]
  for (const [name, answer] of faults) {
    it(`sends another request after ${name}`, async () => {
      quicken(20)
      let left = 3
      mailbox.intercept = (request, response) => {
        if (left-- <= 0) return false
        answer(request, response)
        return true
      }
      const waiting = sdk.emails.waitFor({ addressId, timeoutMs: 1_200_000 }) // a minute at this pace
      await mailbox.requested(5)
      const id = mailbox.publish()
      expect((await waiting).id).to.equal(id)
      expect(new Set(mailbox.requests.slice(1)).size, 'the same question').to.equal(1)
    })
  }

  it('waits until the rate limit ends', async () => {
    let isLimited = true
    mailbox.intercept = (request, response) => {
      if (isLimited) json(429, { error: 'Too many.', code: 'RATE_LIMITED' }, { 'retry-after': '0.2' })(request, response)
      return isLimited && !(isLimited = false)
    }
    const id = mailbox.publish()
    const start = performance.now()
    expect((await sdk.emails.waitFor({ addressId })).id).to.equal(id)
    expect(performance.now() - start).to.be.at.least(195)
    expect(waits()).to.have.length(2)
  })

  it('sends another request at once when a proxy ends a long one', async () => {
    const pauses: number[] = []
    sdk = new Mayfly({ apiKey: 'svc_test_key', baseUrl: mailbox.url, hooks: { onRetry: ({ delayMs }) => pauses.push(delayMs) } })
    quicken(100)
    mailbox.intercept = (request, _response, nth) => {
      if (nth < 5) setTimeout(() => request.socket.destroy(), 40)
      return nth < 5
    }
    const id = mailbox.publish()
    expect((await sdk.emails.waitFor({ addressId, after: new Date(0), timeoutMs: 6_000_000 })).id).to.equal(id) // a minute at this pace
    expect(pauses).to.deep.equal([0, 0, 0])
  })

  it('pauses between requests when a proxy answers at once in place of the server', async () => {
    using clock = openFakeClock()
    let requests = 0
    const stranger = new Mayfly({ apiKey: 'svc_test_key', async fetch() {
      requests++
      return new Response(null, { status: 204, headers: { 'x-mayfly-cursor': addressId } })
    } })
    const error = await rejectionOf(clock.settle(stranger.emails.waitFor({ after: addressId, timeoutMs: 60_000 }), 61_000))
    expect(error).to.be.instanceOf(UnexpectedAnswerError)
    expect(clock.now).to.equal(60_000)
    expect(requests).to.be.below(20)
  })

  it('matches text itself that the server would refuse', async () => {
    const subject = 'x'.repeat(300)
    const id = mailbox.publish({ subject })
    expect((await sdk.emails.waitFor({ addressId, subject, from: '' })).id).to.equal(id)
    expect(waits()[0]).to.not.have.any.keys('from', 'subject')
  })
})
