import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { apiCommand } from '../../cli/commands/api.ts'
import { openMock } from '../support/mock.ts'
import type { Mock } from '../support/mock.ts'
import { samplesOf } from '../support/reference.ts'
import { operations } from '../contract/requests.ts'
import { mayfly, start } from './run.ts'

/** The words of the command of a sample, as a shell reads them. */
const wordsOf = (sample: string): string[] => execFileSync('sh', ['-c', `mayfly() { printf '%s\\0' "$@"; }; ${sample}`], { encoding: 'utf8' })
  .split('\0').slice(0, -1)

describe('Reference: samples of the command line', () => {
  let mock: Mock
  const lines: string[] = []
  before(async () => { mock = await openMock({ log: (line) => lines.push(line) }) })
  after(() => mock?.[Symbol.asyncDispose]())
  const readPage = async (dialect: string) => (await fetch(`${mock.url}/docs?dialect=${dialect}`)).text()
  const variables = () => ({ MAYFLY_BASE_URL: mock.url, MAYFLY_API_KEY: 'svc_test_mock' })

  for (const dialect of ['primary', 'classic']) {
    it(`are requests of the operation, in the ${dialect} dialect`, async () => {
      const page = await readPage(dialect)
      for (const { operationId, method, path } of operations) {
        const [command, ...args] = wordsOf(samplesOf(page, operationId)['command']!)
        if (command !== 'api') continue
        let called: unknown[] = []
        const parsed = apiCommand().exitOverride().action((...given: unknown[]) => { called = given })
        await parsed.parseAsync(args, { from: 'user' })
        const [verb, target, options] = called as [string, string, { data?: object, dialect?: string }]
        expect(verb, operationId).to.equal(method.toUpperCase())
        expect(`/api/v1${target}`, operationId).to.match(new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[0-9a-z_-]{36,}')}$`))
        expect(options.dialect, operationId).to.equal(dialect === 'classic' ? 'classic' : undefined)
      }
    })
  }

  it('run, also those of answers that are no JSON', async () => {
    const page = await readPage('primary')
    const ofFiles = operations.filter(({ operationId }) => wordsOf(samplesOf(page, operationId)['command']!)[0] !== 'api')
    expect(ofFiles.map(({ operationId }) => operationId)).to.deep.equal(['emails.raw', 'emails.attachment', 'events.stream'])
    for (const operationId of ['addresses.create', 'emails.raw']) {
      const { code, stderr } = await mayfly(wordsOf(samplesOf(page, operationId)['command']!), variables())
      expect([code, stderr], operationId).to.deep.equal([0, ''])
    }
    await using listening = start(wordsOf(samplesOf(page, 'events.stream')['command']!), variables())
    await listening.says('stderr', /./)
  })
})
