import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'chai'
import { gunzipSync } from 'node:zlib'
import { operations } from '../contract/requests.ts'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { launchChromium } from '../support/chromium.ts'
import { rawRequest } from '../support/raw-request.ts'
import { signIn } from '../support/sessions.ts'

describe('Reference: /docs', () => {
  let app: TestApp
  before(async () => { app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '1' } }) })
  after(() => app[Symbol.asyncDispose]())

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') => rawRequest(app.url, { method, path, headers })
  /** The paths of the files that the page names: style, document and script. */
  const filePaths = async () => [...(await get('/docs')).text.matchAll(/"(docs\/[^"]+)"/g)].map(([, path]) => `/${path}`)
  const documentPath = async () => (await filePaths()).find((path) => path.endsWith('.json'))!

  it('is a page that loads nothing from other hosts, and does not count against the rate limit', async () => {
    for (let i = 0; i < 3; i++) {
      const { status, headers, text } = await get('/docs')
      expect([status, headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8'])
      expect(text).to.include('<title>Mayfly API</title>').and.not.match(/https?:/)
      expect(headers['content-security-policy']).to.match(/^default-src 'none'; script-src 'self'; style-src 'self'; /).and.not.match(/http|unsafe/)
      expect(headers).to.include({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
      expect(headers).to.not.have.property('x-ratelimit-remaining')
    }
  })

  it('is cached by browsers until it changes', async () => {
    const files = await filePaths()
    expect(files.map((path) => path.replace(/-[\w-]{22}\./, '.'))).to.deep.equal(['/docs/reference.css', '/docs/document.json', '/docs/reference.js'])
    for (const [path, caching] of [['/docs', 'no-cache'], ...files.map((file) => [file, 'public, max-age=31536000, immutable'])] as const) {
      const plain = await get(path)
      const zipped = await get(path, { 'accept-encoding': 'br, gzip' })
      expect(gunzipSync(zipped.bytes).equals(plain.bytes), path).to.equal(true)
      expect(zipped.headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept-Encoding', 'cache-control': caching })
      for (const { headers } of [plain, zipped]) {
        const encoding = headers['content-encoding'] ? { 'accept-encoding': 'gzip' } : undefined
        const again = await get(path, { 'if-none-match': headers.etag!, ...encoding })
        expect([again.status, again.text]).to.deep.equal([304, ''])
      }
      const head = await get(path, {}, 'HEAD')
      expect([head.status, head.text, head.headers['content-length']]).to.deep.equal([200, '', String(plain.bytes.length)])
    }
    expect((await get('/docs/reference-other.js')).status).to.equal(404)
    expect((await get('/docs', {}, 'POST')).status).to.be.oneOf([404, 429])
  })

  it('has Vary: Origin when CORS is configured', async () => {
    await using open = await openTestApp({ env: { MAYFLY_CORS_ORIGINS: 'https://page.example' } })
    const { headers } = await rawRequest(open.url, { path: '/docs', headers: { origin: 'https://page.example' } })
    expect(headers).to.include({ 'access-control-allow-origin': 'https://page.example', vary: 'Origin, Accept-Encoding' })
  })

  it('has a sample of curl for every operation, and of the SDK for those that keys may call', async () => {
    const { paths, servers } = (await get(await documentPath())).json
    const titles = (path: string, method: string) => paths[path][method]['x-samples'].map(({ title }: { title: string }) => title)
    for (const { operationId, path, method, audience } of operations) {
      expect(titles(path, method), operationId).to.deep.equal(audience === 'api' ? ['curl', 'SDK'] : ['curl'])
    }
    expect(servers, 'relative, so that requests have the cookie of the page').to.deep.equal([{ url: '../' }])
    expect((await get('/openapi.json')).text).to.not.include('x-samples')
  })

  it('has a page for each dialect, with a link to the other, and samples that name the classic one', async () => {
    const primary = await get('/docs')
    expect(primary.text).to.include('<a href="docs?dialect=classic">').and.include('data-dialect="primary"')
    const classic = await get('/docs?dialect=classic')
    expect(classic.text).to.include('<a href="docs">').and.include('data-dialect="classic"').and.include('href="openapi.classic.yaml"')
    const [path] = /docs\/classic-document-[\w-]+\.json/.exec(classic.text)!
    const { info, paths } = (await get(`/${path}`)).json
    expect(info.title).to.equal('Mayfly API, classic dialect')
    expect(paths['/api/v1/addresses'].get['x-samples'].map(({ title }: { title: string }) => title)).to.deep.equal(['curl'])
    expect(paths['/api/v1/addresses'].get['x-samples'][0].code).to.include("-H 'X-Mayfly-Dialect: classic'")
  })

  describe('in a browser', function () {
    let browser: Browser
    before(async () => { browser = await launchChromium() })
    after(() => browser?.close())

    interface Opened extends AsyncDisposable { page: Page, complaints: string[], asked: string[] }

    /** @param place the operation that the page shows first, such as `Addresses/addresses.list` */
    async function open({ url }: TestApp, { place = '', cookie = '', ...options }: BrowserContextOptions & { place?: string, cookie?: string } = {}): Promise<Opened> {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
      context.setDefaultTimeout(60_000)
      const [name, value] = cookie.split('=')
      if (value) await context.addCookies([{ name: name!, value, url }])
      const page = await context.newPage()
      const complaints: string[] = []
      const asked: string[] = []
      page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()) })
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(`${url}/docs${place && `#/${place}`}`)
      await page.getByText('Create an address', { exact: true }).waitFor()
      return { page, complaints, asked, [Symbol.asyncDispose]: () => context.close() }
    }

    /** Presses "Execute" of the only open operation. @returns status and body of the answer, as they are shown */
    async function execute(page: Page): Promise<{ status: string, body: string }> {
      await page.getByRole('button', { name: 'Execute' }).click()
      const answer = page.locator('.live-responses-table .response').first()
      return { status: await answer.locator('.response-col_status').innerText(), body: await answer.locator('.highlight-code code').first().innerText() }
    }

    for (const [tag, tagged] of Map.groupBy(operations, ({ definition }) => definition.tags![0]!)) {
      it(`shows the parameters of each operation of ${tag} that is opened by its link, with their names`, async () => {
        await using opened = await open(app)
        const { page, complaints } = opened
        const { paths, ...others } = (await get(await documentPath())).json
        for (const { operationId, path, method } of tagged) {
          const parameters: { name: string }[] = paths[path][method].parameters
          await page.goto('about:blank') // else the page stays, and opens the operation by its own documents
          // the page shows the path of the operation alone: to show all of them takes seconds
          await page.route(/\/document-[^/]+\.json$/, (route) => route.fulfill({ json: { ...others, paths: { [path]: paths[path] } } }))
          await page.goto(`${app.url}/docs#/${encodeURIComponent(tag)}/${operationId}`)
          const operation = page.locator('.opblock.is-open')
          await operation.getByRole('button', { name: 'Execute' }).waitFor()
          expect(await operation.locator('.opblock-summary-path').getAttribute('data-path'), operationId).to.equal(path)
          const names = await operation.locator('[data-param-name]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-param-name')))
          expect(names, operationId).to.have.members(parameters.map(({ name }) => name))
          for (const [, name] of path.matchAll(/\{(\w+)\}/g)) expect(parameters.map((each) => each.name), operationId).to.include(name)
          await page.unrouteAll()
        }
        expect(complaints).to.deep.equal([])
      })
    }

    for (const [width, colorScheme, background] of [[1280, 'light', 'rgba(0, 0, 0, 0)'], [390, 'dark', 'rgb(28, 32, 34)']] as const) {
      it(`shows every operation without requests to other hosts, ${width} pixels wide, in ${colorScheme} colours`, async () => {
        await using opened = await open(app, { viewport: { width, height: 900 }, colorScheme })
        const { page, complaints, asked } = opened
        expect(await page.title()).to.equal('Mayfly API')
        expect(await page.getByRole('heading', { level: 1, name: 'Mayfly API' }).count()).to.equal(1)
        const summaries = await page.locator('.opblock-summary-description').allInnerTexts()
        expect(summaries).to.include.members(operations.map(({ definition }) => definition.summary))
        expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).to.equal(background)

        expect(await page.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).to.equal('./')
        await page.getByText('Guide: ').click()
        await page.getByRole('heading', { name: 'Pagination' }).waitFor()
        await page.getByText('List emails', { exact: true }).click()
        await page.getByRole('button', { name: 'Execute' }).waitFor()
        expect(await page.evaluate('document.documentElement.scrollWidth'), 'wider than the window').to.equal(width)
        const elsewhere = asked.filter((url) => !url.startsWith(`${app.url}/docs`) && !/^(data|blob):/.test(url))
        expect(elsewhere).to.deep.equal([])
        expect(complaints).to.deep.equal([])
      })
    }

    it('finds operations by words of their summary or path', async () => {
      await using opened = await open(app)
      const { page, complaints } = opened
      const found = page.locator('.opblock-tag-section .opblock-summary-path')
      await page.getByPlaceholder('Filter').fill("webhook's secret")
      await page.getByText('Create an address', { exact: true }).waitFor({ state: 'detached' })
      expect((await found.allInnerTexts()).map((text) => text.replaceAll('\u200b', ''))).to.deep.equal(['/api/v1/webhooks/{id}/rotate-secret'])
      await page.getByPlaceholder('Filter').fill('addresses forwarding PATCH')
      await page.getByText('Create or update the forwarding rule of an address', { exact: true }).waitFor()
      expect(await found.count()).to.equal(1)
      expect(complaints).to.deep.equal([])
    })

    it('shows samples of curl and of the SDK', async () => {
      await using opened = await open(app, { place: 'Addresses/addresses.create' })
      const curl = await opened.page.getByLabel('Sample: curl').innerText()
      expect(curl).to.include(`curl "${app.url}/api/v1/addresses"`).and.to.include('Authorization: Bearer $MAYFLY_API_KEY').and.to.include('"alias"')
      expect(await opened.page.getByLabel('Sample: SDK').innerText()).to.include('await mayfly.addresses.create({')
    })

    it('shows a sample of curl alone for an operation of the dashboard', async () => {
      await using opened = await open(app, { place: 'API%20keys/apiKeys.revoke' })
      expect(await opened.page.getByLabel('Sample: curl').innerText()).to.include('Cookie: $MAYFLY_COOKIE')
      expect(await opened.page.getByLabel('Sample: SDK').count()).to.equal(0)
    })

    describe('trying an operation', () => {
      const newAccount = shareTestApp()
      let shared: TestApp
      beforeEach(async () => { shared = await newAccount() })

      it('reads with the session of the dashboard', async () => {
        const { api, cookie } = await signIn(shared)
        const { address } = (await api('POST', '/addresses', { body: {} })).body.data
        await using opened = await open(shared, { cookie, place: 'Addresses/addresses.list' })
        const { status, body } = await execute(opened.page)
        expect(status).to.match(/^200/)
        expect(JSON.parse(body).data.addresses.map((each: { address: string }) => each.address)).to.deep.equal([address])
        expect(await opened.page.locator('.request-snippets').innerText()).to.include(`'${shared.url}/api/v1/addresses?limit=20&offset=0'`)
        expect(opened.complaints).to.deep.equal([])
      })

      it('changes with the session of the dashboard', async () => {
        const { api, cookie } = await signIn(shared)
        await using opened = await open(shared, { cookie, place: 'Addresses/addresses.create' })
        expect((await execute(opened.page)).status).to.match(/^201/)
        const { addresses } = (await api('GET', '/addresses')).body.data
        expect(addresses.map(({ alias }: { alias: string }) => alias)).to.deep.equal(['checkout-test'])
        expect(opened.complaints).to.deep.equal([])
      })

      it('uses a typed key in place of the session, and forgets it with the page', async () => {
        const { cookie } = await signIn(shared)
        const { address } = await shared.newAddress()
        await using opened = await open(shared, { cookie, place: 'Addresses/addresses.list' })
        const { page, complaints } = opened
        await page.locator('.auth-wrapper').getByRole('button', { name: 'Authorize' }).first().click()
        await page.locator('.modal-ux input').fill(shared.key)
        await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).click()
        await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).last().click()
        const { status, body } = await execute(page)
        expect(status).to.match(/^200/)
        expect(body).to.include(address)
        expect(await page.locator('.request-snippets').innerText()).to.include(`Authorization: Bearer ${shared.key}`)
        expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).to.equal('[{},{}]')
        await page.reload()
        expect((await execute(page)).body).to.not.include(address)
        expect(complaints).to.deep.equal([])
      })

      it('is in the dialect whose document is shown, after each switch between the two', async () => {
        const { api, cookie } = await signIn(shared)
        const { id, address } = (await api('POST', '/addresses', { body: {} })).body.data
        await using opened = await open(shared, { cookie })
        const { page, complaints } = opened

        /** @returns the first address in the example of the document, and in the answer of the server */
        async function read() {
          await page.getByText('List addresses', { exact: true }).click()
          const example = await page.locator('.opblock.is-open .response[data-code="200"] .example code').first().innerText()
          return [example, (await execute(page)).body].map((text) => JSON.parse(text).data.addresses[0])
        }
        async function expectPrimary() {
          const [example, answered] = await read()
          expect(example).to.have.property('address').that.includes('@')
          expect(example.id).to.match(/^[0-9a-f-]{36}$/)
          expect(answered).to.include({ id, address })
          for (const each of [example, answered]) expect(each).to.not.have.property('email')
        }

        await expectPrimary()
        await page.getByRole('link', { name: 'Classic dialect' }).click()
        await page.getByRole('heading', { level: 1, name: 'Mayfly API, classic dialect' }).waitFor()
        const [example, answered] = await read()
        expect(example).to.have.property('email').that.includes('@')
        expect(example.id).to.match(/^addr_[0-9a-f-]{36}$/)
        expect(answered).to.include({ id: `addr_${id}`, email: address })
        for (const each of [example, answered]) expect(each).to.not.have.property('address')
        expect(await page.getByLabel('Sample: curl').innerText()).to.include("-H 'X-Mayfly-Dialect: classic'")

        await page.getByRole('link', { name: 'Primary dialect' }).click()
        await page.locator('nav b', { hasText: 'Primary dialect' }).waitFor()
        await expectPrimary()
        expect(complaints).to.deep.equal([])
      })

      it('shows the error of the server without session and key', async () => {
        await using opened = await open(shared, { place: 'Addresses/addresses.list' })
        const { status, body } = await execute(opened.page)
        expect(status).to.match(/^401/)
        expect(JSON.parse(body)).to.include({ code: 'INVALID_API_KEY' })
      })
    })
  })
})
