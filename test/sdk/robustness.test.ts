import { expect } from 'chai'
import fc from 'fast-check'
import { getEventListeners } from 'node:events'
import { Mayfly, MayflyError } from '@mayfly-mail/sdk'
import type { RequestOptions } from '@mayfly-mail/sdk'
import { answers } from './answers.ts'
import type { Answer } from './answers.ts'
import { calls, id } from './calls.ts'
import { openFakeClock } from './fake-clock.ts'
import { rejectionOf } from './rejection.ts'

/** Iterations over lists and events: each step is in time, but there may be many. */
const walks: Record<string, (sdk: Mayfly, options: RequestOptions) => AsyncIterable<unknown>> = {
  'addresses.list': (sdk, options) => sdk.addresses.list({}, options),
  'emails.list': (sdk, options) => sdk.emails.list({}, options),
  'domains.list': (sdk, options) => sdk.domains.list(options),
  'forwardingAddresses.list': (sdk, options) => sdk.forwardingAddresses.list({}, options),
  'auditLogs.list': (sdk, options) => sdk.auditLogs.list({}, options),
  'webhooks.list': (sdk, options) => sdk.webhooks.list(options),
  'webhooks.deliveries': (sdk, options) => sdk.webhooks.deliveries(id, {}, options),
  'events.subscribe': (sdk, { signal }) => sdk.events.subscribe({ signal }),
}

/** A server with these answers, of which the last is repeated; and the requests it got. */
function serve(sequence: Answer[]) {
  const requests: Request[] = []
  const fetch = async (request: Request) => {
    const answer = sequence[Math.min(requests.length, sequence.length - 1)]!
    requests.push(request)
    if (requests.length > 1_000) throw new Error('goes round in circles')
    return answer(request)
  }
  return { requests, fetch }
}

const sequences = fc.array(answers, { minLength: 1, maxLength: 5 })
const timeouts = fc.constantFrom(40, 900, 5_000, 30_000)

/** @throws Error unless it is an error of the package */
function expectOurs(error: unknown, reason: Error) {
  if (error !== reason && !(error instanceof MayflyError)) throw new Error(`${String(error)} is not ours`, { cause: error })
}

describe('SDK: an answer of too many values', () => {
  it('does not count commas and brackets in strings', async () => {
    const bodyText = '[{,"\\'.repeat(200_000)
    const sdk = new Mayfly({ apiKey: 'any', baseUrl: 'http://localhost', fetch: async () => Response.json({ data: { bodyText } }) })
    expect(await sdk.emails.get(id)).to.deep.equal({ bodyText })
  })
})

describe('SDK: an array in place of a page', () => {
  it('ends a list and a wait of emails in errors of the package', async () => {
    const sdk = new Mayfly({ apiKey: 'any', baseUrl: 'http://localhost', fetch: async () => Response.json([]), maxRetries: 0 })
    expect(await rejectionOf(sdk.emails.list())).to.be.instanceOf(MayflyError)
    expect(await rejectionOf(sdk.emails.waitFor({ timeoutMs: 50 }))).to.be.instanceOf(MayflyError)
  })
})

/** Calls that send several requests: `inboxes.open` looks through the pages of a list. */
const asksOften = (name: string) => name.includes('waitFor') || name === 'inboxes.open'

describe('SDK: random answers', function () {
  const names = (sequence: [string, Answer][]) => sequence.map(([name]) => name)

  it('end each call in time, with a result or an error of the package, and a change has one key', async () => {
    await fc.assert(fc.asyncProperty(
      fc.constantFrom(...Object.keys(calls)), sequences, timeouts, fc.nat(4), fc.option(fc.nat(1_000)),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (name, sequence, timeoutMs, maxRetries, abortAfterMs, chance) => {
        using clock = openFakeClock(() => chance)
        const { requests, fetch } = serve(sequence.map(([, answer]) => answer))
        const sdk = new Mayfly({ apiKey: 'svc_test_key', fetch, maxRetries })
        const controller = new AbortController()
        const reason = new Error('enough')
        if (abortAfterMs !== null) clock.after(abortAfterMs, () => controller.abort(reason))
        // for work after the call, such as reading a stream that stalls
        clock.after(50_000, () => controller.abort(reason))
        const maxMs = name.includes('as it comes') ? 50_000 : timeoutMs + (name.includes('waitFor') ? 1_000 : 0)
        const call = calls[name]!(sdk, { timeoutMs, signal: controller.signal })
        const error = await clock.settle(call, maxMs).then(() => undefined, (e: unknown) => e)
        const context = `${name} ${JSON.stringify(names(sequence))}`
        if (error !== undefined) expectOurs(error, reason)
        expect(requests.length, context).to.be.below(1_000)
        expect(clock.now, context).to.be.at.most(maxMs)
        const writes = requests.filter(({ method }) => method !== 'GET')
        expect(new Set(writes.map(({ headers }) => headers.get('idempotency-key'))).size, context).to.equal(writes.length > 0 ? 1 : 0)
        for (const { headers } of writes) expect(headers.get('idempotency-key')).to.match(/^[\x21-\x7e]{1,255}$/)
        if (!asksOften(name)) expect(requests.length, context).to.be.at.most(maxRetries + 1)
        expect(getEventListeners(controller.signal, 'abort'), context).to.deep.equal([])
      },
    ), { numRuns: 600 })
  })

  it('end iterations and subscriptions in errors of the package, or continue them', async () => {
    await fc.assert(fc.asyncProperty(fc.constantFrom(...Object.keys(walks)), sequences, async (name, sequence) => {
      using clock = openFakeClock()
      const { requests, fetch } = serve(sequence.map(([, answer]) => answer))
      const controller = new AbortController()
      const reason = new Error('enough')
      const sdk = new Mayfly({
        apiKey: 'svc_test_key', fetch, hooks: { onRequest: () => { if (requests.length > 20) controller.abort(reason) } },
      })
      clock.after(2_000_000, () => controller.abort(reason))
      const walk = (async () => {
        const steps = walks[name]!(sdk, { signal: controller.signal })[Symbol.asyncIterator]()
        for (let left = 50; left > 0 && !(await steps.next()).done; left--);
        await steps.return?.()
      })()
      const error = await clock.settle(walk, 3_000_000).then(() => undefined, (e: unknown) => e)
      if (error !== undefined) expectOurs(error, reason)
      expect(getEventListeners(controller.signal, 'abort'), `${name} ${JSON.stringify(names(sequence))}`).to.deep.equal([])
    }), { numRuns: 300 })
  })
})
