import { expect } from 'chai'
import { beginAttempt } from '../../server/domain/sending.ts'
import { openTestApp } from '../support/app.ts'
import { leaveJobs, takeJobsOver } from '../support/store/jobs.ts'
import { rowsOf } from '../support/store/rows.ts'

describe('Sending: an attempt', () => {
  it('does not begin for a job that another node has taken over', async () => {
    await using app = await openTestApp()
    const { id, address } = await app.newAddress()
    await app.api('POST', '/emails', { body: { fromAddressId: id, to: address, subject: 'to myself', body: 'text' } })
    await app.settled()
    const [delivery] = await rowsOf(app, 'deliveries')
    expect(delivery!.status).to.equal('sent')
    await leaveJobs(app, 'deliver-mail', [{ payload: { deliveryId: delivery!.id }, runAt: app.app.clock.now() + 1_000 }])
    const [claim] = await takeJobsOver(app, 'deliver-mail', 'this node')
    await takeJobsOver(app, 'deliver-mail')
    const attempt = beginAttempt(app.app, { ...delivery!, isCounted: false }, { claim: claim!, isLeaving: false })
    const begun = await attempt.catch((error: Error) => error.name)
    expect(begun).to.equal('ClaimLost')
    expect((await rowsOf(app, 'deliveries'))[0]!.status).to.equal('sent')
  })
})
