import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { openMock } from '../support/mock.ts'
import type { Mock } from '../support/mock.ts'
import { samplesOf } from '../support/reference.ts'
import { operations } from './requests.ts'

const standIn = fileURLToPath(new URL('../docs/curl.ts', import.meta.url))
const hasCurl = spawnSync('curl', ['--version']).status === 0

describe('Reference: samples of curl', () => {
  let onLine: (line: string) => void = () => {}
  let mock: Mock
  const pages: Record<string, string> = {}

  before(async () => {
    mock = await openMock({ log: (line) => onLine(line) })
    for (const dialect of ['primary', 'classic']) pages[dialect] = await (await fetch(`${mock.url}/docs?dialect=${dialect}`)).text()
  })
  after(() => mock?.[Symbol.asyncDispose]())

  for (const { dialect, operationId, method, status, isStream } of ['primary', 'classic'].flatMap((dialect) => operations.map((each) => ({ dialect, ...each })))) {
    it(`${operationId}: gets ${status} in the ${dialect} dialect`, async () => {
      const code = samplesOf(pages[dialect]!, operationId)['curl']!
      expect(code.includes('X-Mayfly-Dialect: classic')).to.equal(dialect === 'classic')
      const line = new Promise<string>((resolve) => { onLine = resolve })
      const command = hasCurl ? `exec ${code}` : `exec '${process.execPath}' '${standIn}' ${code.slice('curl '.length)}`
      const shell = spawn('sh', ['-c', command], {
        stdio: 'ignore', env: { ...process.env, MAYFLY_BASE_URL: mock.url, MAYFLY_API_KEY: 'svc_test_mock', MAYFLY_COOKIE: 'mayfly=any' },
      })
      const ended = once(shell, 'exit')
      const [verb, , answered] = (await line).split(' ')
      expect([verb, answered]).to.deep.equal([method.toUpperCase(), String(status)])
      if (isStream) shell.kill()
      const [exitCode] = await ended
      if (!isStream) expect(exitCode).to.equal(0)
    })
  }
})
