import type { ServerResponse } from 'node:http'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { expect } from 'chai'
import type { Resolver } from '../../server/outbound/dns.ts'
import { openLinkRequests } from '../../server/outbound/link-status.ts'
import type { LinkRequestsOptions } from '../../server/outbound/link-status.ts'
import { openEndpoint } from '../support/endpoint.ts'
import type { Endpoint } from '../support/endpoint.ts'
import { stopTime } from '../support/stopped-time.ts'

describe('Requests of links: limits that accounts share', () => {
  let site: Endpoint
  beforeEach(async () => { site = await openEndpoint() })
  afterEach(() => site[Symbol.asyncDispose]())

  function openRequests(options: Partial<LinkRequestsOptions> = {}) {
    const requests = openLinkRequests({ resolver: {} as Resolver, allowPrivate: true, ...options }) // addresses are not resolved
    const urls = (name: string) => Array.from({ length: 50 }, (_, i) => `http://127.0.0.1:${site.port}/${name}${i}`)
    return (account: string, name = account) => requests.statusOf(account, urls(name), new AbortController().signal)
  }

  /** Does not answer paths that begin so. @returns the requests */
  function hold(prefix: string) {
    const held: { path: string, response: ServerResponse }[] = []
    site.answer = ({ path }, response) => {
      if (!path.startsWith(prefix)) return 200
      held.push({ path, response })
      return null
    }
    return held
  }

  it('leaves an account its first requests to a site that others have used up, which stays within bounds', async () => {
    using time = stopTime()
    const statusOf = openRequests()
    const others = Array.from({ length: 7 }, (_, i) => `other ${i}`)
    for (const other of others) {
      for (let i = 0; i < 4; i++) {
        const statuses = await statusOf(other)
        expect(statuses.filter(({ status, error }) => status === null && !error!.startsWith('Too many'))).to.deep.equal([])
      }
    }
    expect(site.deliveries.length).to.equal(7 * 100 + 600)
    const limited = await statusOf('other 0')
    expect(limited).to.deep.equal(limited.map(() =>
      ({ status: null, redirects: null, error: 'Too many links to 127.0.0.1 were requested. Check this mail again in a minute.' })))
    expect((await statusOf('quiet')).map(({ status }) => status)).to.deep.equal(limited.map(() => 200))
    time.pass(10_000)
    expect((await statusOf('other 0')).filter(({ status }) => status === 200)).to.have.length(20)
  })

  it('leaves an account its share of the requests at once while those of five others do not answer', async () => {
    const statusOf = openRequests({ timeoutMs: 60_000, totalTimeoutMs: 60_000 })
    const held = hold('/slow')
    const slow = Array.from({ length: 5 }, (_, i) => statusOf(`other ${i}`, `slow-${i}-`))
    while (held.length < 32) await turnOfLoop()
    const quick = statusOf('quiet')
    for (let i = 0; i < 4; i++) {
      for (const { response } of held.filter(({ path }) => path.startsWith(`/slow-${i}-`)).slice(0, 3)) response.end()
    }
    expect((await quick).map(({ status }) => status)).to.deep.equal(Array.from({ length: 50 }, () => 200))
    expect(held).to.have.length(32 + 5)
    site.answer = () => 200
    for (const { response } of held) response.end()
    await Promise.all(slow)
  })

  it('does not count links as tried when the time of all is over', async () => {
    const statusOf = openRequests({ totalTimeoutMs: 20 })
    hold('/')
    const error = 'The links of this mail did not answer within 0.02 seconds in all.'
    const statuses = await statusOf('slow')
    expect(statuses).to.deep.equal(statuses.map(() => ({ status: null, redirects: null, error })))
  })
})
