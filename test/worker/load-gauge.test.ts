import { expect } from 'chai'
import { openLoadGauge } from '../../server/worker/load-gauge.ts'

describe('the gauge of the load', () => {
  const quiet = () => new Promise((resolve) => setTimeout(resolve, 200))

  it('says at once that an idle process is idle', async () => {
    const gauge = openLoadGauge()
    await quiet()
    gauge.note()
    expect(await gauge.isBusyFor(0)).to.equal(false)
  })

  it('says busy while jobs keep coming, after its patience', async () => {
    const gauge = openLoadGauge()
    const mails = setInterval(() => gauge.note(), 5)
    try {
      await quiet()
      const begun = performance.now()
      expect(await gauge.isBusyFor(80)).to.equal(true)
      expect(performance.now() - begun).to.be.within(80, 500)
    } finally {
      clearInterval(mails)
    }
  })

  it('says idle as soon as they stop', async () => {
    const gauge = openLoadGauge()
    for (let i = 0; i < 10; i++) gauge.note()
    const begun = performance.now()
    expect(await gauge.isBusyFor(5_000)).to.equal(false)
    expect(performance.now() - begun).to.be.within(30, 1_000)
  })
})
