import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { launchChromium } from '../support/chromium.ts'
import { openEndpoint } from '../support/endpoint.ts'
import type { Endpoint } from '../support/endpoint.ts'
import { capturedLink, press } from '../support/forwarding.ts'
import { bundlePage } from './browser/bundle.ts'
import { describePage } from './browser/page-suite.ts'
import { recorder } from './browser/recorder.ts'
import type { Host, Settings } from './browser/world.ts'
import { describeSdk } from './shared-suite.ts'

describe('SDK: in a browser', function () {
  let server: Server
  let endpoint: Endpoint
  let app: TestApp
  let browser: Browser
  let page: Page
  let folder: string
  let origin: string

  before(async () => {
    const script = await bundlePage()
    const html = `<!doctype html><meta charset="utf-8"><title>Tests</title><script>${script.replaceAll('</script', '<\\/script')}</script>`
    server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    endpoint = await openEndpoint()
    app = await openTestApp({ isRealTime: true, env: { MAYFLY_CORS_ORIGINS: origin, MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } })
    folder = await mkdtemp(join(tmpdir(), 'mayfly-test-'))
    const env = { ...process.env, HOME: folder, TMPDIR: folder }
    browser = await launchChromium({ env })
    page = await openPage(origin)
    await page.evaluate(() => window.page.begin())
  })
  after(async () => {
    await page?.evaluate(() => window.page.end())
    await browser?.close()
    await app?.[Symbol.asyncDispose]()
    await endpoint?.[Symbol.asyncDispose]()
    server?.close()
    server?.closeAllConnections()
    await rm(folder, { recursive: true, force: true })
  })

  async function openPage(at: string) {
    const opened = await browser.newPage()
    const settings: Settings = { url: app.url, key: app.key, testKey: await app.newKey({ isTest: true }), endpoint: endpoint.url }
    await opened.exposeFunction('askHost', (name: keyof Host, ...args: [string, string]) => (host[name] as (...args: string[]) => unknown)(...args))
    await opened.addInitScript((given) => { window.settings = given }, settings)
    await opened.goto(at)
    return opened
  }

  const host: Host = {
    async deliver(to, source) {
      await app.send({ envelope: { from: 'no-reply@shop.example', to }, raw: source })
      await app.settled() // it is authenticated then
    },
    agree: async (email) => { await press(app, await capturedLink(app, email)) },
    async webhookDeliveries() {
      await app.settled()
      return endpoint.deliveries.map(({ body, headers }) => ({ body, headers: headers as Record<string, string> }))
    },
  }

  // the page has the same tests and runs them
  const { bdd, tests } = recorder()
  describeSdk('', () => { throw new Error('these tests run in the page') }, bdd)
  describePage(() => { throw new Error('these tests run in the page') }, bdd)
  for (const title of tests.keys()) {
    it(title, async () => {
      const failure = await page.evaluate((name) => window.page.run(name), title)
      if (failure !== undefined) throw Object.assign(new Error(failure.split('\n')[0]), { stack: failure })
    })
  }

  it('gets no answer in a page of an origin that the server does not allow', async () => {
    const other = await openPage(origin.replace('127.0.0.1', 'localhost'))
    const failure = await other.evaluate(() => window.page.begin().then(() => 'none', (error: Error) => `${error.name}: ${error.message}`))
    expect(failure).to.equal(`NetworkError: addresses.create got no answer from ${app.url}: ` +
      'it is not running, or does not allow this page (MAYFLY_CORS_ORIGINS).')
    await other.close()
  })
})
