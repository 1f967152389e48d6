import { expect } from 'chai'
import { withPython } from './python.ts'
import { runSignUps } from './sign-up-runs.ts'

withPython('Python SDK: fixtures of pytest', () => {
  it('pass the sign-up test against the server', async function () {
    this.timeout(60_000)
    expect(await runSignUps(3)).to.match(/^3 passed/m)
  })
}, 'pytest')
