import { once } from 'node:events'
import { request } from 'node:http'
import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { readEvents } from '../support/event-reader.ts'

describe('Abandoned calls: the caller disconnects before the work begins', () => {
  let app: TestApp
  let key: string
  before(async () => {
    app = await openTestApp()
    key = await app.newKey({ isTest: true })
  })
  after(() => app[Symbol.asyncDispose]())

  /** Sends a call that is delayed for a minute, and disconnects during the delay. */
  async function abandon(path: string) {
    const call = request(`${app.url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}`, 'x-mayfly-fault': 'delay=60000', 'last-event-id': '0' },
    })
    call.on('error', () => {}).end()
    await once(call, 'finish')
    await until(() => app.app.metrics.openRequests.size === 1)
    call.destroy()
    await until(() => app.app.metrics.openRequests.size === 0)
  }
  const callsOf = async (action: string) => {
    const { body } = await app.api('GET', '/audit-logs?limit=100', { key })
    return body.data.filter((row: { action: string }) => row.action === action).length
  }

  for (const [action, path] of [['events.stream', '/events'], ['emails.wait', '/emails/wait?timeout=60']] as const) {
    it(`frees the place of an abandoned ${action}`, async () => {
      for (let i = 0; i < 5; i++) await abandon(path)
      await until(async () => await callsOf(action) === 5)
      expect(app.app.feed.followers()).to.equal(0)
    })
  }

  it('does not reduce the number of streams that the account may open', async () => {
    for (let i = 0; i < 105; i++) await abandon('/events')
    const reader = await readEvents(app.url, key)
    expect(reader.answer.statusCode).to.equal(200)
    reader.drop()
  })
})

async function until(isSo: () => boolean | Promise<boolean>) {
  while (!await isSo()) await new Promise(setImmediate)
}
