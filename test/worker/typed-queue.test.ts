import { expect } from 'chai'
import type { Tx } from '../../server/store/database.ts'
import { removeJobs, enqueue, enqueueOnce, makeDue, waitingPayloads } from '../../server/store/jobs/jobs.ts'
import { decodeLane, encodeLane } from '../../server/store/jobs/lanes.ts'
import type { Task, Tasks } from '../../server/worker/run-job.ts'
import { tasks } from '../../server/worker/tasks/index.ts'

/** Never called: `npm run check -- types` fails when one of these lines compiles. */
export async function misuse(tx: Tx): Promise<void> {
  // @ts-expect-error an unknown task
  await enqueue(tx, 'deliver-mails', { deliveryId: 'id' })
  // @ts-expect-error a payload without a member
  await enqueue(tx, 'deliver-mail', {})
  // @ts-expect-error the payload of another task
  await enqueue(tx, 'deliver-mail', { messageId: 'id' })
  // @ts-expect-error a member of the wrong type
  await enqueue(tx, 'deliver-mail', { deliveryId: 1 })
  // @ts-expect-error a payload for a task that has none
  await enqueue(tx, 'purge-messages', { messageId: 'id' })
  // @ts-expect-error a task that has a payload
  await enqueueOnce(tx, 'deliver-mail')
  // @ts-expect-error a lane as text
  await enqueue(tx, 'deliver-mail', { deliveryId: 'id' }, { lane: 'account/destination' })
  // @ts-expect-error a lane without a part
  await enqueue(tx, 'deliver-mail', { deliveryId: 'id' }, { lane: { account: 'account' } })
  // @ts-expect-error an unknown task
  await removeJobs(tx, 'sweeps')
  // @ts-expect-error an unknown task
  await makeDue(tx, 'discard-messages')
  // @ts-expect-error the payload of another task
  ;(await waitingPayloads(tx as never, 'parse-message')).map(({ deliveryId }) => deliveryId)
}

export const wrongTask: Task<'verify-domain'> = {
  maxPerLane: 1, errorRetryDelaysMs: [1],
  // @ts-expect-error the payload of another task
  run: async (_app, { messageId }) => async () => { expect(messageId).to.be.a('string') },
}

// @ts-expect-error a task is missing
export const wrongTasks: Tasks = { 'deliver-mail': tasks['deliver-mail'] }

describe('Job queue: lanes', () => {
  it('have the same keys as in existing databases', () => {
    expect(encodeLane('parse-message', { account: 'a' })).to.equal('a')
    expect(encodeLane('parse-message', { account: '' })).to.equal('')
    expect(encodeLane('authenticate-message', { account: 'a', network: '192.0.2.0', senderDomain: 'example.org' })).to.equal('a/192.0.2.0/example.org')
    expect(encodeLane('deliver-mail', { account: 'a', destination: 'example.org' })).to.equal('a/example.org')
    expect(encodeLane('deliver-webhook', { account: 'a', webhook: 'w' })).to.equal('a/w')
    expect(encodeLane('verify-domain', { domain: 'd' })).to.equal('d')
    expect(encodeLane('sweep', { sweep: 'emails' })).to.equal('emails')
    expect(encodeLane('purge-messages', {})).to.equal('')
  })

  it('have no slash within a part: it is removed', () => {
    const lane = { account: 'a', network: '192.0.2.0', senderDomain: 'x/y' }
    expect(decodeLane('authenticate-message', encodeLane('authenticate-message', lane))).to.deep.equal({ ...lane, senderDomain: 'xy' })
    expect(decodeLane('deliver-mail', '')).to.deep.equal({ account: '', destination: '' })
  })
})
