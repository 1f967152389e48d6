import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'chai'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { OpenAPIV3_1 } from 'openapi-types'
import { operationsOf, readDocumentFile, resolveRef, classicFile } from '../../openapi/document.ts'
import { allOperations as operations, document as contract } from '../contract/requests.ts'
import { findViolations } from '../support/accessibility.ts'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { launchChromium } from '../support/chromium.ts'
import { rawRequest } from '../support/raw-request.ts'
import { samplesOf, sectionOf, textOf } from '../support/reference.ts'
import { signIn } from '../support/sessions.ts'

describe('Reference: /docs', () => {
  let app: TestApp
  before(async () => { app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '1' } }) })
  after(() => app[Symbol.asyncDispose]())

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') => rawRequest(app.url, { method, path, headers })

  it('is a page that loads nothing from other hosts, and does not count against the rate limit', async () => {
    for (let i = 0; i < 3; i++) {
      const { status, headers, text } = await get('/docs')
      expect([status, headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8'])
      expect(text).to.include('<title>Mayfly API</title>').and.not.match(/ (src|href|action)="(https?:|\/)/)
      expect(headers['content-security-policy']).to.match(/^default-src 'none'; script-src 'self'; style-src 'self'; /).and.not.match(/http|unsafe/)
      expect(headers).to.include({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
      expect(headers).to.not.have.property('x-ratelimit-remaining')
    }
  })

  it('is cached by browsers until it changes', async () => {
    const files = [...(await get('/docs')).text.matchAll(/"(docs\/[^"?]+)"/g)].map(([, path]) => `/${path}`)
    expect(files.map((path) => path.replace(/-[\w-]{22}\./, '.'))).to.deep.equal(['/docs/reference.css', '/docs/reference.js'])
    for (const [path, caching] of [['/docs', 'no-cache'], ...files.map((file) => [file, 'public, max-age=31536000, immutable'])] as const) {
      const plain = await get(path)
      for (const [encoding, decompress] of [['br', brotliDecompressSync], ['gzip', gunzipSync]] as const) {
        const zipped = await get(path, { 'accept-encoding': encoding })
        expect(decompress(zipped.bytes).equals(plain.bytes), path).to.equal(true)
        expect(zipped.headers).to.include({ 'content-encoding': encoding, vary: 'Accept-Encoding', 'cache-control': caching })
        const again = await get(path, { 'if-none-match': zipped.headers.etag!, 'accept-encoding': encoding })
        expect([again.status, again.text]).to.deep.equal([304, ''])
      }
      const again = await get(path, { 'if-none-match': plain.headers.etag! })
      expect([again.status, again.text]).to.deep.equal([304, ''])
      const head = await get(path, {}, 'HEAD')
      expect([head.status, head.text, head.headers['content-length']]).to.deep.equal([200, '', String(plain.bytes.length)])
    }
    expect((await get('/docs/reference-other.js')).status).to.equal(404)
    expect((await get('/docs', {}, 'POST')).status).to.be.oneOf([404, 429])
  })

  it('is small: its script and style have less than 20 kB, compressed, and the page less than 120 kB', async () => {
    const sizeOf = async (path: string) => (await get(path, { 'accept-encoding': 'br' })).bytes.length
    const files = [...(await get('/docs')).text.matchAll(/"(docs\/reference-[^"]+)"/g)].map(([, path]) => `/${path}`)
    const sizes = await Promise.all(files.map(sizeOf))
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.within(1000, 20_000)
    expect(await sizeOf('/docs')).to.be.within(10_000, 120_000)
  })

  it('has Vary: Origin when CORS is configured', async () => {
    await using open = await openTestApp({ env: { MAYFLY_CORS_ORIGINS: 'https://page.example' } })
    const { headers } = await rawRequest(open.url, { path: '/docs', headers: { origin: 'https://page.example' } })
    expect(headers).to.include({ 'access-control-allow-origin': 'https://page.example', vary: 'Origin, Accept-Encoding' })
  })

  it('tells its script whether the browser has a session, whose cookie no script can read', async () => {
    const read = async (headers = {}) => {
      const { json, headers: { 'cache-control': caching } } = await get('/docs/session', headers)
      return [json, caching]
    }
    expect(await read()).to.deep.equal([{ hasSession: false }, 'no-store'])
    expect(await read({ cookie: 'mayfly=any' })).to.deep.equal([{ hasSession: true }, 'no-store'])
  })

  for (const [dialect, shown] of [['primary', contract], ['classic', readDocumentFile(classicFile)]] as const) {
    it(`has every operation with its parameters, body, answers and samples, in the ${dialect} dialect`, async () => {
      const { text: page } = await get(`/docs?dialect=${dialect}`)
      for (const { operationId, method, path, audience, scope, definition } of operationsOf(shown)) {
        const html = sectionOf(page, operationId)
        const text = textOf(html)
        expect(text).to.include(definition.summary).and.include(`${method.toUpperCase()} ${path}`)
        expect(page.match(new RegExp(`<li><a href="#${operationId.replace('.', '\\.')}"><span class="method`, 'g')), operationId).to.have.length(1)
        if (scope) expect(text, operationId).to.include(`Scope${scope}`)

        const parameters = [...shown.paths![path]!.parameters ?? [], ...definition.parameters ?? []]
          .map((each) => resolveRef<OpenAPIV3_1.ParameterObject>(shown, each))
        const rows = [...html.matchAll(/<th scope="row"><code class="name">([^<]+)<\/code>/g)].map(([, name]) => name!)
        expect(rows, operationId).to.include.members(parameters.map(({ name }) => name))
        const fields = [...html.matchAll(/<(?:input|select) name="([^"]+)" data-in="\w+"/g)].map(([, name]) => name!)
        expect(fields, operationId).to.have.members(parameters.map(({ name }) => name).filter((name) => name !== 'X-Mayfly-Dialect'))
        for (const [, name] of path.matchAll(/\{(\w+)\}/g)) expect(fields, operationId).to.include(name)

        const statuses = [...html.matchAll(/<b class="status s\d">(\w+)<\/b>/g)].map(([, status]) => status!)
        expect(statuses, operationId).to.deep.equal(Object.keys(definition.responses!))
        const body = definition.requestBody as OpenAPIV3_1.RequestBodyObject | undefined
        expect(html.includes('<textarea'), operationId).to.equal(body !== undefined)
        const languages = { primary: ['curl', 'typescript', 'python', 'command'], classic: ['curl', 'command'] }
        expect(Object.keys(samplesOf(page, operationId)), operationId).to.deep.equal(audience === 'api' ? languages[dialect] : ['curl'])
        expect(html, operationId).to.not.match(/undefined|\[object|NaN/)
      }
      for (const item of Object.values(shown.webhooks!)) {
        const event = (item as OpenAPIV3_1.PathItemObject).post!
        expect(textOf(sectionOf(page, event.operationId!))).to.include(event.summary).and.include('X-Service-Signature').and.include('"timestamp": ')
      }
    })

    it(`has a section for each of its links, in the ${dialect} dialect`, async () => {
      const { text: page } = await get(`/docs?dialect=${dialect}`)
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
      expect(ids.length).to.equal(new Set(ids).size)
      for (const [, id] of page.matchAll(/ href="#([^"]+)"/g)) expect(ids).to.include(id)
    })
  }

  it('has the limits of the members of objects in objects', async () => {
    const faults = textOf(sectionOf((await get('/docs')).text, 'addresses.setSmtpFaults').replaceAll('<', ' <')).replaceAll(/\s+/g, ' ')
    expect(faults).to.match(/ times integer .{1,120} 1 to 1,000 /)
    expect(faults, 'a header of an error').to.include('Retry-After integer')
    const email = textOf(sectionOf((await get('/docs')).text, 'emails.get'))
    for (const name of ['authentication', 'dkim', 'selector', 'filename']) expect(email).to.include(name)
  })

  it('says which plan a key and a session need', async () => {
    const { text: page } = await get('/docs')
    const planOf = (operationId: string) => /<dt>Plan<\/dt><dd>([^<]*)/.exec(sectionOf(page, operationId))![1]
    expect(planOf('emails.list')).to.equal('Business with a key, any in the dashboard')
    expect(planOf('emails.delete')).to.equal('any with a key, any in the dashboard')
    expect(planOf('webhooks.create')).to.equal('Business with a key, Business in the dashboard')
  })

  it('has a page for each dialect, with a title of its own, a link to the other, and samples that name the classic one', async () => {
    const primary = await get('/docs')
    expect(primary.text).to.include('<a href="docs?dialect=classic">').and.include('data-dialect="primary"')
    const classic = await get('/docs?dialect=classic')
    expect(classic.text).to.include('<a href="docs">').and.include('data-dialect="classic"').and.include('href="openapi.classic.yaml"')
    expect(classic.text).to.include('<title>Mayfly API, classic dialect</title>')
    const samples = samplesOf(classic.text, 'addresses.list')
    expect(samples['curl']).to.include("-H 'X-Mayfly-Dialect: classic'")
    expect(samples['command']).to.include('--dialect classic')
  })

  describe('in a browser', function () {
    let browser: Browser
    before(async () => { browser = await launchChromium() })
    after(() => browser?.close())

    interface Opened extends AsyncDisposable { page: Page, complaints: string[], asked: string[] }
    interface OpenOptions extends BrowserContextOptions { place?: string, cookie?: string }

    /** @param place the end of the address: query and fragment */
    async function open({ url }: TestApp, { place = '', cookie = '', ...options }: OpenOptions = {}): Promise<Opened> {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
      context.setDefaultTimeout(60_000)
      const [name, value] = cookie.split('=')
      if (value) await context.addCookies([{ name: name!, value, url }])
      const page = await context.newPage()
      const complaints: string[] = []
      const asked: string[] = []
      page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()) })
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
      await page.goto(`${url}/docs${place}`, { waitUntil: 'networkidle' })
      await page.locator('html[data-chosen]').waitFor() // the script has run
      return { page, complaints, asked, [Symbol.asyncDispose]: () => context.close() }
    }

    const sectionIn = (page: Page, operationId: string): Locator => page.locator(`[id="${operationId}"]`)
    const openForm = (section: Locator) => section.getByText('Run this operation').click()

    /** Presses "Run" of a section. @returns status and body of the answer, as they are shown */
    async function run(section: Locator): Promise<{ status: string, body: string }> {
      await section.getByRole('button', { name: 'Run' }).click()
      return read(section)
    }
    async function read(section: Locator): Promise<{ status: string, body: string }> {
      const result = section.getByRole('status')
      await result.locator('pre.body').waitFor()
      await result.page().waitForFunction((element) => element.querySelector('pre.body')!.textContent !== '', await result.elementHandle())
      return { status: await result.locator('.status').innerText(), body: await result.locator('pre.body').innerText() }
    }
    const confirm = (page: Page, answer: string) => page.locator('dialog').getByRole('button', { name: answer }).click()

    for (const [place, id, parameter] of [
      ['#emails.get', 'emails.get', 'id'],
      ['#/Emails/emails.get', 'emails.get', 'id'],
      ['#/API%20keys/apiKeys.revoke', 'apiKeys.revoke', 'id'],
      ['?dialect=classic#/Forwarding%20rules/forwardingRules.get', 'forwardingRules.get', 'addressId'],
    ] as const) {
      it(`shows the operation of the link ${place}, with the names of its parameters`, async () => {
        await using opened = await open(app, { place })
        const { page, complaints } = opened
        const section = sectionIn(page, id)
        await page.waitForFunction((name) => {
          const { top } = document.getElementById(name)!.getBoundingClientRect()
          return top >= 0 && top < innerHeight / 2
        }, id)
        expect(new URL(page.url()).hash).to.equal(`#${id}`)
        await section.getByRole('table', { name: 'Path' }).getByRole('rowheader', { name: parameter }).waitFor()
        expect(await page.locator('.menu [aria-current]').getAttribute('href')).to.equal(`#${id}`)
        expect(complaints).to.deep.equal([])
      })
    }

    it('shows the group of a link of the former page', async () => {
      await using opened = await open(app, { place: '#/Test%20mode' })
      await opened.page.waitForURL('**/docs#tag-test-mode')
    })

    for (const [width, colorScheme, background] of [[1440, 'light', 'rgb(255, 255, 255)'], [390, 'dark', 'rgb(36, 36, 36)'], [3840, 'dark', 'rgb(36, 36, 36)']] as const) {
      it(`shows every operation without requests to other hosts, ${width} pixels wide, in ${colorScheme} colours`, async () => {
        await using opened = await open(app, { viewport: { width, height: 900 }, colorScheme })
        const { page, complaints, asked } = opened
        expect(await page.title()).to.equal('Mayfly API')
        expect(await page.locator('h1').allTextContents()).to.deep.equal(['Mayfly API'])
        const summaries = await page.locator('article h3').allTextContents()
        expect(summaries).to.include.members(operations.map(({ definition }) => definition.summary))
        expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).to.equal(background)
        expect(await page.locator('.pages').getByRole('link', { name: 'Dashboard' }).getAttribute('href')).to.equal('./')
        await page.locator('#pagination').waitFor()
        const elsewhere = asked.filter((request) => !request.startsWith(`GET ${app.url}/docs`))
        expect(elsewhere).to.deep.equal([])
        expect(complaints).to.deep.equal([])

        await page.evaluate(() => {
          for (const each of document.querySelectorAll('article')) each.style.contentVisibility = 'visible'
          for (const each of document.querySelectorAll<HTMLDetailsElement>('main details')) each.open = true
        })
        expect(await page.evaluate('document.documentElement.scrollWidth'), 'wider than the window').to.equal(width)
        const wide = await page.evaluate(() => [...document.querySelectorAll('main *')]
          .filter((element) => element.getBoundingClientRect().right > innerWidth && !element.closest('pre, .scroll')).map((element) => element.outerHTML.slice(0, 200)))
        expect(wide).to.deep.equal([])
      })
    }

    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no barriers that axe-core finds, in ${colorScheme} colours`, async () => {
        await using opened = await open(app, { colorScheme, place: '#emails.send' })
        await openForm(sectionIn(opened.page, 'emails.send'))
        // some of all operations, which are made by the same code: axe-core takes minutes for all of them
        await opened.page.evaluate((ids) => {
          for (const section of document.querySelectorAll('article')) {
            if (!ids.includes(section.id)) section.remove()
            section.style.contentVisibility = 'visible'
            for (const details of section.querySelectorAll('details')) details.open = true
          }
        }, ['emails.send', 'domains.list', 'apiKeys.create', 'events.addressDeleted'])
        expect(await findViolations(opened.page)).to.deep.equal([])
      })
    }

    it('finds operations by words of their summary, description or path', async () => {
      await using opened = await open(app)
      const { page, complaints } = opened
      const found = page.locator('.menu li a')
      const shown = async () => (await found.evaluateAll((links) => links.filter((link) => link.checkVisibility()).map((link) => link.getAttribute('href'))))
      await page.keyboard.press('/')
      await page.locator('#filter:focus').waitFor()
      await page.keyboard.type("webhook's secret")
      await page.locator('#found', { hasText: '1 found' }).waitFor()
      expect(await shown()).to.deep.equal(['#webhooks.rotateSecret'])
      await page.keyboard.press('Enter')
      expect(new URL(page.url()).hash).to.equal('#webhooks.rotateSecret')
      await page.getByRole('searchbox').fill('addresses forwarding PATCH')
      expect(await shown()).to.deep.equal(['#forwardingRules.update'])
      await page.getByRole('searchbox').fill('zebra')
      expect([await shown(), await page.locator('#found').innerText()]).to.deep.equal([[], 'Nothing has these words.'])
      expect(complaints).to.deep.equal([])
    })

    it('has the contents folded on a phone', async () => {
      await using opened = await open(app, { viewport: { width: 390, height: 844 } })
      const { page } = opened
      const link = page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'GET List emails', exact: true })
      expect(await link.isVisible()).to.equal(false)
      await page.getByText('Contents', { exact: true }).click()
      await link.click()
      expect([await link.isVisible(), new URL(page.url()).hash]).to.deep.equal([false, '#emails.list'])
    })

    it('shows samples in the language that the reader chose, for all operations, and later', async () => {
      await using opened = await open(app, { place: '#addresses.create' })
      const { page } = opened
      const samples = (operationId: string) => sectionIn(page, operationId).getByRole('group', { name: 'Samples' })
      const create = samples('addresses.create')
      expect(await create.locator('pre:visible').textContent()).to.include(`curl "${app.url}/api/v1/addresses"`)
        .and.include('Authorization: Bearer $MAYFLY_API_KEY').and.include('"alias"')
      await create.getByRole('button', { name: 'Python' }).click()
      expect(await create.locator('pre:visible').textContent()).to.include(`base_url='${app.url}'`).and.include('mayfly.addresses.create(alias=')
      await page.reload()
      expect(await samples('addresses.list').locator('pre:visible').textContent()).to.include('mayfly.addresses.list()')
      expect(await samples('sessions.delete').locator('pre:visible').textContent(), 'of the dashboard').to.include('Cookie: $MAYFLY_COOKIE')
      await samples('addresses.list').getByRole('button', { name: 'TypeScript' }).click()
      expect(await create.locator('pre:visible').textContent()).to.include('await mayfly.addresses.create({')
    })

    describe('running an operation', () => {
      const newAccount = shareTestApp()
      let shared: TestApp
      beforeEach(async () => { shared = await newAccount() })

      it('reads with the session of the dashboard, without a question', async () => {
        const { api, cookie, email } = await signIn(shared)
        const { address } = (await api('POST', '/addresses', { body: {} })).body.data
        await using opened = await open(shared, { cookie, place: '#addresses.list' })
        const section = sectionIn(opened.page, 'addresses.list')
        await openForm(section)
        await section.getByText(`As ${email}, on live data.`).waitFor()
        const { status, body } = await run(section)
        expect(status).to.match(/^200/)
        expect(JSON.parse(body).data.addresses.map((each: { address: string }) => each.address)).to.deep.equal([address])
        await section.getByRole('combobox', { name: 'status' }).selectOption('expired')
        await section.getByRole('textbox', { name: 'limit' }).fill('1')
        const [request] = await Promise.all([opened.page.waitForRequest(/limit/), run(section)])
        expect(new URL(request.url()).search).to.equal('?status=expired&limit=1')
        expect(opened.complaints).to.deep.equal([])
      })

      it('changes with the session of the dashboard, after a question that names operation and data', async () => {
        const { api, cookie, email } = await signIn(shared)
        await using opened = await open(shared, { cookie, place: '#addresses.create' })
        const { page, asked, complaints } = opened
        const section = sectionIn(page, 'addresses.create')
        await openForm(section)
        await section.getByText(`As ${email}`).waitFor()
        await section.getByRole('button', { name: 'Run' }).click()
        expect(await page.getByRole('dialog', { name: 'Create an address on live data?' }).innerText())
          .to.include(`POST /api/v1/addresses runs as ${email}, on live data.`)
        await confirm(page, 'Cancel')
        await section.getByRole('button', { name: 'Run' }).click()
        await page.keyboard.press('Escape')
        expect(asked.filter((request) => request.startsWith('POST'))).to.deep.equal([])
        await section.getByRole('button', { name: 'Run' }).click()
        await confirm(page, 'Run')
        expect((await read(section)).status).to.match(/^201/)
        const aliases = async (headers = {}) => (await api('GET', '/addresses', { headers })).body.data.addresses.map(({ alias }: { alias: string }) => alias)
        expect(await aliases()).to.deep.equal(['checkout-test'])

        await page.getByRole('combobox', { name: 'Data of the session' }).selectOption('test data')
        await section.getByRole('textbox', { name: 'Body' }).fill('{"alias":"in-test"}')
        await section.getByRole('button', { name: 'Run' }).click()
        await page.getByRole('dialog', { name: 'Create an address on test data?' }).waitFor()
        await confirm(page, 'Run')
        expect((await read(section)).body).to.include('in-test')
        expect([await aliases(), await aliases({ 'x-mayfly-mode': 'test' })]).to.deep.equal([['checkout-test'], ['in-test']])
        expect(complaints).to.deep.equal([])
      })

      it('shows the beginning of the newest key of the data in samples', async () => {
        const { api, cookie } = await signIn(shared)
        const prefixes: string[] = []
        for (const mode of ['live', 'test']) {
          prefixes.push((await api('POST', '/api-keys', { body: { name: mode, mode, scopes: ['emails:read'] } })).body.data.prefix)
        }
        await using opened = await open(shared, { cookie, place: '#addresses.list' })
        const shown = sectionIn(opened.page, 'addresses.list').getByRole('group', { name: 'Samples' }).locator('pre:visible')
        await shown.getByText(`Bearer ${prefixes[0]}…`).waitFor()
        await opened.page.getByRole('combobox', { name: 'Data of the session' }).selectOption('test data')
        await shown.getByText(`Bearer ${prefixes[1]}…`).waitFor()
      })

      it('uses a typed key in place of the session, and forgets it with the page', async () => {
        const { cookie } = await signIn(shared)
        const { address } = await shared.newAddress()
        await using opened = await open(shared, { cookie, place: '#addresses.list' })
        const { page, complaints } = opened
        const section = sectionIn(page, 'addresses.list')
        await page.getByRole('textbox', { name: 'API key' }).fill(shared.key)
        await openForm(section)
        await section.getByText('As the key that you gave, on live data.').waitFor()
        const { status, body } = await run(section)
        expect(status).to.match(/^200/)
        expect(body).to.include(address)
        expect(await page.content()).to.not.include(shared.key)
        expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).to.equal('[{},{}]')
        await page.reload()
        await openForm(section)
        expect((await run(section)).body).to.not.include(address)
        expect(complaints).to.deep.equal([])
      })

      it('is in the dialect whose document is shown, after each switch between the two', async () => {
        const { api, cookie } = await signIn(shared)
        const { id, address } = (await api('POST', '/addresses', { body: {} })).body.data
        await using opened = await open(shared, { cookie })
        const { page, complaints } = opened
        const section = sectionIn(page, 'addresses.list')

        /** @returns the first address in the example of the document, and in the answer of the server */
        async function readBoth() {
          await openForm(section)
          const example = await section.getByRole('group', { name: 'Answer 200' }).locator('pre').innerText()
          return [example, (await run(section)).body].map((text) => JSON.parse(text).data.addresses[0])
        }
        async function expectPrimary() {
          const [example, answered] = await readBoth()
          expect(example).to.have.property('address').that.includes('@')
          expect(example.id).to.match(/^[0-9a-f-]{36}$/)
          expect(answered).to.include({ id, address })
          for (const each of [example, answered]) expect(each).to.not.have.property('email')
        }

        await expectPrimary()
        await page.locator('.pages').getByRole('link', { name: 'Classic dialect' }).click()
        await page.locator('[data-dialect=classic] h1', { hasText: 'Mayfly API, classic dialect' }).waitFor()
        expect(await page.title()).to.equal('Mayfly API, classic dialect')
        const [example, answered] = await readBoth()
        expect(example).to.have.property('email').that.includes('@')
        expect(example.id).to.match(/^addr_[0-9a-f-]{36}$/)
        expect(answered).to.include({ id: `addr_${id}`, email: address })
        for (const each of [example, answered]) expect(each).to.not.have.property('address')

        await page.locator('.pages').getByRole('link', { name: 'Primary dialect' }).click()
        await page.locator('.pages b', { hasText: 'Primary dialect' }).waitFor()
        await expectPrimary()
        expect(complaints).to.deep.equal([])
      })

      it('follows a stream until it is stopped, and offers a file', async () => {
        const { api, cookie } = await signIn(shared)
        const { id, address } = (await api('POST', '/addresses', { body: {} })).body.data
        await shared.send({ to: address, subject: 'Terms', text: 'a', attachments: [{ filename: 'a.bin', content: Buffer.alloc(1234) }] })
        const [{ id: emailId }] = (await api('GET', `/emails?addressId=${id}`)).body.data
        const [attachment] = (await api('GET', `/emails/${emailId}`)).body.data.attachments
        await using opened = await open(shared, { cookie, place: '#events.stream' })
        const { page, complaints } = opened
        const stream = sectionIn(page, 'events.stream')
        await openForm(stream)
        await stream.getByRole('textbox', { name: 'Last-Event-ID' }).fill('0')
        await stream.getByRole('button', { name: 'Run' }).click()
        await stream.getByRole('status').getByText('email.received').waitFor()
        await stream.getByRole('button', { name: 'Stop' }).click()
        await stream.getByText('Stopped.').waitFor()

        const file = sectionIn(page, 'emails.attachment')
        await openForm(file)
        await file.getByRole('textbox', { name: 'emailId' }).fill(emailId)
        await file.getByRole('textbox', { name: 'attachmentId' }).fill(attachment.id)
        expect((await run(file)).body).to.match(/^1234 bytes of application\/octet-stream/)
        await file.getByRole('link', { name: 'Save the file' }).waitFor()
        expect(complaints).to.deep.equal([])
      })

      it('shows the error of the server without session and key', async () => {
        await using opened = await open(shared, { place: '#addresses.list' })
        const section = sectionIn(opened.page, 'addresses.list')
        await openForm(section)
        await section.getByText('Runs without a session or key.').waitFor()
        const { status, body } = await run(section)
        expect(status).to.match(/^401/)
        expect(JSON.parse(body)).to.include({ code: 'INVALID_API_KEY' })
      })
    })
  })
})
