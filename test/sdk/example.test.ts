import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openTestApp } from '../support/app.ts'

describe('Examples: wait-for-code.ts', () => {
  const run = (env: Record<string, string>, ...args: string[]) => promisify(execFile)(
    process.execPath, [fileURLToPath(new URL('../../examples/wait-for-code.ts', import.meta.url)), ...args], { env: { ...process.env, ...env } },
  )

  it('prints the code of a mail, and leaves no address behind', async () => {
    await using app = await openTestApp()
    const { stdout, stderr } = await run({
      MAYFLY_BASE_URL: app.url, MAYFLY_API_KEY: app.key, MAYFLY_SMTP_HOST: app.smtp.host, MAYFLY_SMTP_PORT: String(app.smtp.port),
    }, '--demo')
    expect(stderr).to.equal('')
    expect(stdout).to.match(/^Send a mail with a code to \S+@mail\.localhost\nThe code is 482913 { subject: 'Your sign-up', from: 'demo@shop\.example' }\n$/)
    expect((await app.api('GET', '/addresses')).body.data.total).to.equal(0)
  })

  it('reports a missing key', async () => {
    const failure = await run({ MAYFLY_API_KEY: '' }).catch((error: { code: number, stderr: string }) => error) as { code: number, stderr: string }
    expect(failure.code).to.equal(1)
    expect(failure.stderr).to.equal('new Mayfly() needs an apiKey, or the variable MAYFLY_API_KEY\n')
  })
})
