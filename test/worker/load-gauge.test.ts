import { expect } from 'chai'
import { openLoadGauge } from '../../server/worker/claim-throttle.ts'

describe('Job queue: load gauge', () => {
  const quiet = () => new Promise((resolve) => setTimeout(resolve, 200))

  it('reports an idle process as not busy at once', async () => {
    const gauge = openLoadGauge()
    await quiet()
    gauge.recordCommit()
    expect(await gauge.isBusyFor(0)).to.equal(false)
  })

  it('reports a process as busy after the given time of continuous commits', async () => {
    const gauge = openLoadGauge()
    // due before the next check of the gauge, also after the machine has not run this process for a while
    const mails = setInterval(() => { for (let i = 0; i < 4; i++) gauge.recordCommit() }, 1)
    try {
      await quiet()
      const begun = performance.now()
      expect(await gauge.isBusyFor(80)).to.equal(true)
      expect(performance.now() - begun).to.be.at.least(80)
    } finally {
      clearInterval(mails)
    }
  })

  it('reports a process as not busy as soon as the commits stop', async () => {
    const gauge = openLoadGauge()
    for (let i = 0; i < 10; i++) gauge.recordCommit()
    expect(await gauge.isBusyFor(60_000)).to.equal(false)
  })
})
