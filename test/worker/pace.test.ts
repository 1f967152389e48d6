import { expect } from 'chai'
import { openPace } from '../../server/worker/pace.ts'

describe('Job queue: pace under load', () => {
  it('claims few jobs while mail comes in, and more with each second that the lane is late', async () => {
    const pace = openPace({ jobs: 4, pause: 0 })
    const admit = async (secondsLate: number) => {
      for (let i = 0; i < 10; i++) pace.note() // commits that bring jobs: the process is busy
      return pace.admit(100, async () => secondsLate)
    }
    expect([await admit(0), await admit(0)]).to.deep.equal([2, 2])
    expect([await admit(9), await admit(9)]).to.deep.equal([20, 20])
    expect([await admit(0), await admit(0)]).to.deep.equal([2, 2])
  })

  it('goes on when the queue could not be read once', async () => {
    const pace = openPace({ jobs: 4, pause: 0 })
    for (let i = 0; i < 10; i++) pace.note()
    const failed = await pace.admit(100, async () => { throw new Error('the database is closed') }).catch((error: Error) => error.message)
    expect(failed).to.equal('the database is closed')
    for (let i = 0; i < 10; i++) pace.note()
    expect(await pace.admit(100, async () => 0)).to.equal(2)
  })
})
