import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestApp } from '../support/app.ts'
import { programs, runPython, withPython } from './python.ts'

withPython('Python SDK: inboxes', function () {
  it('wait for mail, open addresses and see events on the server', async function () {
    await using app = await openTestApp({ isRealTime: true })
    const key = await app.newKey({ isTest: true })
    const variables = { MAYFLY_BASE_URL: `${app.url.replace('http://', '')}/api/v1/`, MAYFLY_API_KEY: key }
    expect(await runPython(['-X', 'dev', '-W', 'error', `${programs}/inboxes_on_server.py`], variables)).to.equal('done\n')
  })
})

withPython('Python SDK: fixtures of pytest without a key', function () {
  it('name the variables to set', async function () {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-pytest-'))
    try {
      await writeFile(join(folder, 'test_it.py'), 'def test_it(inbox):\n    pass\n')
      const args = ['-m', 'pytest', '-p', 'mayfly.pytest_plugin', '-p', 'no:cacheprovider', '--rootdir', folder, folder]
      const { message } = await runPython(args, { MAYFLY_API_KEY: '' }).then(() => new Error('It passed'), (error: Error) => error)
      expect(message).to.include('The fixtures mayfly and inbox need an API key: set the variable MAYFLY_API_KEY')
      expect(message).to.include('MAYFLY_BASE_URL').and.not.include('Traceback')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}, 'pytest')
