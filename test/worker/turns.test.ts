import { expect } from 'chai'
import { openTurns } from '../../server/worker/turns.ts'
import { deliverWebhook } from '../../server/worker/tasks/deliver-webhook.ts'

describe('Jobs that start at the same time', () => {
  it('start one per turn of the event loop when they post webhooks', async () => {
    const turns = openTurns(deliverWebhook)
    let loopTurn = 0
    const count = () => {
      loopTurn++
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    const startedAt: number[] = []
    await Promise.all(Array.from({ length: 20 }, (_, i) => turns(`account/webhook ${i}`, async () => { startedAt.push(loopTurn) })))
    clearImmediate(counting)
    expect(new Set(startedAt).size).to.equal(20)
  })
})
