import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { programs, runPython, withPython } from './python.ts'

withPython('Python SDK: AsyncMayfly', () => {
  it('ends the calls of cancelled tasks, and the program without waiting for them', async function () {
    await using app = await openTestApp({ isRealTime: true })
    const beganAt = performance.now()
    const output = await runPython(['-W', 'error', `${programs}/cancelling.py`], { MAYFLY_BASE_URL: app.url, MAYFLY_API_KEY: app.key })
    expect(output.trim().split('\n')).to.deep.equal([
      'cancelled waits', 'threads are free', 'cancelled a subscription', 'timed out', 'closed', 'The client is closed', 'left False',
    ])
    expect(performance.now() - beganAt).to.be.below(100_000) // the calls take 600 seconds
  })
})
