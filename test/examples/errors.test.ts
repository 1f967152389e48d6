import { expect } from 'chai'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { asClient, example, run, runExample } from './run.ts'

const programs = ['custom-domain.ts', 'forwarding.ts', 'wait-for-code.ts', 'webhook-receiver.ts', 'sign-up/main.ts', 'browser-inbox/serve.ts']

describe('Examples: run as programs', function () {
  let app: TestApp
  let taken: Server
  let takenPort: string
  before(async () => {
    app = await openTestApp({ env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } })
    taken = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(taken, 'listening')
    takenPort = String((taken.address() as AddressInfo).port)
  })
  after(async () => {
    await app?.[Symbol.asyncDispose]()
    taken?.close()
  })

  for (const name of programs) {
    it(`${name} prints its first comment for --help, and exits`, async () => {
      for (const word of ['--help', '-h']) {
        await using running = runExample(app, name, [word])
        const { code, stdout, stderr } = await running.end()
        expect([code, stderr]).to.deep.equal([0, ''])
        expect(stdout).to.match(new RegExp(`^\\w.*examples/${name}`, 's')).and.to.not.match(/\*|import/)
      }
      expect((await app.api('GET', '/webhooks')).body.data).to.deep.equal([])
      expect((await app.api('GET', '/addresses')).body.data.total).to.equal(0)
    })
  }

  it('ci-wait-for-code.sh prints its first comment for --help, and exits', async () => {
    await using running = run('sh', [example('ci-wait-for-code.sh'), '--help'], asClient(app))
    expect(await running.end()).to.include({ code: 0, stderr: '' }).and.have.property('stdout').that.matches(/^Runs a command with a new address/)
    expect((await app.api('GET', '/addresses')).body.data.total).to.equal(0)
  })

  const failures: [what: string, name: string, args: string[], env: () => Record<string, string>, sentence: RegExp][] = [
    ['a port that is in use', 'webhook-receiver.ts', [], () => ({ PORT: takenPort }), /^Port \d+ is in use already\. --help says how to choose another\.\n$/],
    ['a port that is in use', 'sign-up/main.ts', [], () => ({ SHOP_PORT: takenPort }), /^Port \d+ is in use already\. --help says how to choose another\.\n$/],
    ['a port that is in use', 'browser-inbox/serve.ts', [], () => ({ INBOX_PORT: takenPort }), /^Port \d+ is in use already\. --help says how to choose another\.\n$/],
    ['no port', 'webhook-receiver.ts', [], () => ({ PORT: 'http' }), /^.*port.*\n$/],
    ['an SMTP port that is no mail server', 'wait-for-code.ts', ['--demo'], () => ({ MAYFLY_SMTP_PORT: takenPort }),
      /^No mail to 127\.0\.0\.1:\d+: .*\. Set MAYFLY_SMTP_HOST and MAYFLY_SMTP_PORT\.\n$/],
    ...['custom-domain.ts', 'forwarding.ts', 'wait-for-code.ts', 'webhook-receiver.ts'].flatMap((name): typeof failures => [
      ['a wrong key', name, ['ada.example.org'], () => ({ PORT: '0', MAYFLY_API_KEY: `${app.key.slice(0, -3)}xyz` }), /^.*API key.*\n$/],
      ['no key', name, ['ada.example.org'], () => ({ PORT: '0', MAYFLY_API_KEY: '' }), /^new Mayfly\(\) needs an apiKey, or the variable MAYFLY_API_KEY\n$/],
      ['a server that does not answer', name, ['ada.example.org'], () => ({ PORT: '0', MAYFLY_BASE_URL: `http://127.0.0.1:${takenPort}` }),
        /^[\w.]+ got no answer from http:\/\/127\.0\.0\.1:\d+: the connection was closed before .*\n$/],
    ]),
  ]
  for (const [what, name, args, env, sentence] of failures) {
    it(`${name} prints one line and exits with 1 for ${what}`, async () => {
      await using running = runExample(app, name, args, env())
      const { code, stderr } = await running.end()
      expect(stderr).to.match(sentence)
      expect(code).to.equal(1)
      expect((await app.api('GET', '/addresses')).body.data.total).to.equal(0)
    })
  }
})
