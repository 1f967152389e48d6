import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openWaits } from '../support/open-waits.ts'
import { asClient, example, run } from './run.ts'

describe('Examples: ci-wait-for-code.sh', function () {
  let app: TestApp
  let folder: string

  before(async () => {
    app = await openTestApp()
    folder = await mkdtemp(join(tmpdir(), 'mayfly-test-'))
    // a command `mayfly` in PATH, as after an installation
    const program = fileURLToPath(new URL('../../cli/mayfly.js', import.meta.url))
    await writeFile(join(folder, 'mayfly'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
    await chmod(join(folder, 'mayfly'), 0o755)
  })
  after(async () => {
    await app?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const runScript = (command: string[], env: Record<string, string> = {}) => run('sh', [example('ci-wait-for-code.sh'), ...command], {
    ...asClient(app), HOME: folder, PATH: `${folder}:${process.env['PATH']}`, ...env,
  })
  const started = async (script: ReturnType<typeof runScript>) => (await script.says(/ is run with (\S+@mail\.localhost)$/m))[1]!
  const addresses = async () => (await app.api('GET', '/addresses')).body.data.total

  it('prints the code and nothing else, and leaves no address behind', async () => {
    await using script = runScript(['echo', 'signing', 'up'])
    const address = await started(script)
    await script.says(new RegExp(`^signing up ${address}$`, 'm'))
    await app.send({ to: address, subject: 'Welcome', text: 'Good to have you.' })
    await app.send({ to: address, subject: 'Your code', text: 'Your code is 482913.' })
    expect(await script.end()).to.include({ code: 0, stdout: '482913\n' })
    expect(await addresses()).to.equal(0)
  })

  it('exits with 2 when no code arrives in time', async () => {
    await using script = runScript(['true'], { TIMEOUT: '100ms' })
    const { code, stdout, stderr } = await script.end()
    expect([code, stdout]).to.deep.equal([2, ''])
    expect(stderr).to.match(/^mayfly: Waited 0\.1 s for mail with a code to \S+@mail\.localhost\.$/m)
    expect(stderr).to.match(/^true has run, but mailed no code in time\.$/m)
    expect(await addresses()).to.equal(0)
  })

  it('exits with the code of a failed command', async () => {
    await using script = runScript(['sh', '-c', 'exit 7'])
    expect(await script.end()).to.include({ code: 7, stdout: '' })
    expect(await addresses()).to.equal(0)
  })

  for (const [signal, status] of [['SIGTERM', 143], ['SIGINT', 130]] as const) {
    it(`leaves no address behind after ${signal}`, async () => {
      await using script = runScript(['true'])
      await openWaits(app, 1)
      expect(await script.end(signal)).to.include({ code: status, stdout: '' })
      expect(await addresses()).to.equal(0)
    })
  }

  it('reports a failure to read the mail separately from a failure of the command', async () => {
    await using script = runScript(['mayfly', 'address', 'delete'])
    const { code, stdout, stderr } = await script.end()
    expect([code, stdout]).to.deep.equal([1, ''])
    expect(stderr).to.include('The mail could not be looked at, which says nothing about mayfly.\n')
  })

  it('does not run the command without a key', async () => {
    await using script = runScript(['echo', 'signing up'], { MAYFLY_API_KEY: '' })
    const { code, stderr } = await script.end()
    expect(code).to.equal(1)
    expect(stderr).to.match(/^mayfly: There is no API key\. .*\n$/)
  })

  it('reports a missing argument', async () => {
    await using script = runScript([])
    expect(await script.end()).to.include({ code: 64, stdout: '', stderr: `usage: ${example('ci-wait-for-code.sh')} COMMAND [ARGUMENT]...\n` })
  })
})
