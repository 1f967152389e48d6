import { expect } from 'chai'
import { stripTypeScriptTypes } from 'node:module'
import * as sdk from '@mayfly-mail/sdk'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { verifyForwardingAddresses } from '../support/store/forwarding-addresses.ts'
import { docExamples } from './doc-examples.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const mail = {
  from: 'The Shop <orders@shop.example>',
  subject: 'Please confirm: your code',
  text: 'Your code is 482913.\n\nhttps://shop.example/confirm?token=abc\n',
}
const withAttachment = [
  'From: orders@shop.example', 'Subject: Your invoice', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', '',
  '--b', 'Content-Type: text/plain', '', 'Your code is 482913. https://shop.example/', '--b',
  'Content-Type: application/pdf; name=invoice.pdf', 'Content-Disposition: attachment; filename=invoice.pdf', '', 'PDF', '--b--', '',
].join('\r\n')

describe('SDK: examples of the documentation, run', () => {
  let app: TestApp
  let key: string
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())
  beforeEach(async () => { key = await app.newKey({ isTest: true }) })

  // a page and its browser: those of examples/sign-up
  // those of vitest: test/packages/runners.test.ts
  const needsRunner = /async \(\{ (page|inbox)/
  for (const { name, code } of docExamples().filter(({ code }) => !needsRunner.test(code))) it(name, () => run(code))

  const api = async (path: string, body: unknown) => (await app.api('POST', path, { key, body })).body.data

  /** One resource of each kind, for the examples that read them. */
  async function fill() {
    const address = await api('/addresses', {})
    await api('/test/emails', { to: address.address, raw: withAttachment })
    await api('/domains', { domain: 'shop.example' })
    const { id } = await api('/forwarding-addresses', { email: 'grace@example.com' })
    await verifyForwardingAddresses(app, id)
    const webhook = await api('/webhooks', { url: 'https://hooks.example.com/', events: ['address.deleted'] })
    await app.api('PATCH', `/webhooks/${webhook.id}`, { key, body: { isActive: false } })
    return address.address as string
  }

  async function run(code: string) {
    let to = await fill()
    /** Sends a mail to each issued address, another when the example waits, and several when it follows the events. */
    const fetchAndSend = async (request: Request) => {
      const { method, url } = request
      const answer = fetch(request)
      if (url.includes('/emails/wait')) await api('/test/emails', { to, ...mail })
      const response = await answer
      if (method === 'POST' && url.endsWith('/addresses') && response.ok) {
        to = (await response.clone().json()).data.address
        await api('/test/emails', { to, ...mail })
      }
      if (url.includes('/events')) for (let i = 0; i < 3; i++) await api('/test/emails', { to, ...mail })
      return response
    }
    class Mayfly extends sdk.Mayfly {
      constructor(options: sdk.MayflyOptions = {}) {
        super({ ...options, apiKey: key, baseUrl: app.url, fetch: fetchAndSend })
      }
    }
    const enough = new Error('it would go on for ever')
    const printed: unknown[] = []
    const log = (...values: unknown[]) => {
      printed.push(...values)
      if (code.includes('subscribe(') && printed.length > 2) throw enough
    }
    const mayfly = new Mayfly()
    const { id: addressId, address } = await mayfly.addresses.create()
    const given = {
      sdk, Mayfly, mayfly, addressId, secret,
      webhooks: sdk.webhooks, WebhookVerificationError: sdk.WebhookVerificationError,
      console: { log, warn: log },
      process: { env: { MAYFLY_API_KEY: key, MAYFLY_WEBHOOK_SECRET: secret } },
      requestPasswordReset: () => api('/test/emails', { to: address, ...mail }),
      signUp: (address: string) => api('/test/emails', { to: address, ...mail }),
      fetch: async (_url: string, { headers, body }: { headers: Record<string, string>, body: string }) => {
        await sdk.webhooks.verify(body, headers, secret)
      },
    }
    const made = await evaluate(code, given).catch((error: unknown) => { if (error !== enough) throw error })
    expect(printed).not.to.include(undefined)
    if (made) await receivesEvents(made)
  }

  /** Runs an example of a webhook receiver with a signed and an unsigned event. */
  async function receivesEvents(receive: (request: Request) => Promise<Response>) {
    const data = { emailId: addressIdOfNobody, addressId: addressIdOfNobody }
    const { body, headers } = await sdk.webhooks.sign({ type: 'email.deleted', data }, secret)
    const post = (body: string) => receive(new Request('http://localhost/', { method: 'POST', headers, body }))
    expect((await post(body)).status).to.equal(204)
    const refused = await post(`${body} `).catch((error: unknown) => error)
    expect(refused instanceof Response ? refused.status : refused).to.satisfy((outcome: unknown) =>
      outcome === 400 || outcome instanceof sdk.WebhookVerificationError)
  }
})

const addressIdOfNobody = '019ceb92-ea80-752e-bca9-6513269e0d37'

/** @returns the function that the code declares, if it declares one */
async function evaluate(code: string, given: Record<string, unknown>): Promise<((request: Request) => Promise<Response>) | undefined> {
  const [, declared] = /^(?:export )?async function (\w+)/m.exec(code) ?? []
  const body = code.replaceAll(/^import .*$|^export /gm, '')
  const names = Object.keys(given)
  // in its own block, so that an example may declare any name
  const source = stripTypeScriptTypes(`(async function (${names.join(', ')}) {{\n${body}\n${declared ? `return ${declared}` : ''}\n}})`)
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the code is from this repository
  return (new Function(`return ${source}`)() as (...values: unknown[]) => Promise<undefined>)(...Object.values(given))
}
