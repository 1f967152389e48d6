import { expect } from 'chai'
import { encodeLane } from '../../server/store/jobs/lanes.ts'
import { openConcurrencyLimit } from '../../server/worker/concurrency-limit.ts'
import { deliverWebhook } from '../../server/worker/tasks/deliver-webhook.ts'

describe('Job queue: concurrency limits', () => {
  it('start at most one request to a webhook per turn of the event loop', async () => {
    const limit = openConcurrencyLimit('deliver-webhook', deliverWebhook)
    let loopTurn = 0
    const count = () => {
      loopTurn++
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    const startedAt: number[] = []
    await Promise.all(Array.from({ length: 20 }, (_, i) =>
      limit(encodeLane('deliver-webhook', { account: 'account', webhook: String(i) }), async () => { startedAt.push(loopTurn) })))
    clearImmediate(counting)
    expect(new Set(startedAt).size).to.equal(20)
  })
})
