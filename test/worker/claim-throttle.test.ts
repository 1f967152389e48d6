import { expect } from 'chai'
import { openClaimThrottle } from '../../server/worker/claim-throttle.ts'

describe('Job queue: claims under load', () => {
  it('claims few jobs while mail arrives, and more with each second that the jobs are late', async () => {
    const throttle = openClaimThrottle({ maxJobs: 4, pauseMs: 0 })
    const admit = async (secondsLate: number) => {
      for (let i = 0; i < 10; i++) throttle.recordCommit() // the process is busy
      return throttle.admit(100, async () => secondsLate)
    }
    expect([await admit(0), await admit(0)]).to.deep.equal([2, 2])
    expect([await admit(9), await admit(9)]).to.deep.equal([20, 20])
    expect([await admit(0), await admit(0)]).to.deep.equal([2, 2])
  })

  it('continues after a failed read of the queue', async () => {
    const throttle = openClaimThrottle({ maxJobs: 4, pauseMs: 0 })
    for (let i = 0; i < 10; i++) throttle.recordCommit()
    const failed = await throttle.admit(100, async () => { throw new Error('the database is closed') }).catch((error: Error) => error.message)
    expect(failed).to.equal('the database is closed')
    for (let i = 0; i < 10; i++) throttle.recordCommit()
    expect(await throttle.admit(100, async () => 0)).to.equal(2)
  })
})
