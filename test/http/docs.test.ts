import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'chai'
import { gunzipSync } from 'node:zlib'
import { operations } from '../contract/requests.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { chromiumArgs, chromiumPath } from '../support/chromium.ts'
import { rawRequest } from '../support/raw-request.ts'

describe('Reference: /docs', () => {
  let app: TestApp
  before(async () => { app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '1' } }) })
  after(() => app[Symbol.asyncDispose]())

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') => rawRequest(app.url, { method, path, headers })
  const scriptPath = async () => `/${/src="(docs\/[^"]+)"/.exec((await get('/docs')).text)![1]}`

  it('is a page that loads nothing from other hosts, and does not count against the rate limit', async () => {
    for (let i = 0; i < 3; i++) {
      const { status, headers, text } = await get('/docs')
      expect([status, headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8'])
      expect(text).to.include('<title>Mayfly API</title>').and.not.match(/https?:/)
      expect(headers['content-security-policy']).to.match(/^default-src 'none'; script-src 'self' 'sha256-[^']+'; /).and.not.match(/http|eval/)
      expect(headers).to.include({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
      expect(headers).to.not.have.property('x-ratelimit-remaining')
    }
  })

  it('is cached by browsers until it changes', async () => {
    for (const [path, caching] of [['/docs', 'no-cache'], [await scriptPath(), 'public, max-age=31536000, immutable']] as const) {
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
    expect((await get('/docs/redoc-other.js')).status).to.equal(404)
    expect((await get('/docs', {}, 'POST')).status).to.be.oneOf([404, 429])
  })

  it('has Vary: Origin when CORS is configured', async () => {
    await using open = await openTestApp({ env: { MAYFLY_CORS_ORIGINS: 'https://page.example' } })
    const { headers } = await rawRequest(open.url, { path: '/docs', headers: { origin: 'https://page.example' } })
    expect(headers).to.include({ 'access-control-allow-origin': 'https://page.example', vary: 'Origin, Accept-Encoding' })
  })

  it('is the target of a redirect from /, for browsers only', async () => {
    const browser = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect([browser.status, browser.headers.location]).to.deep.equal([302, 'docs'])
    expect((await get('/', { accept: '*/*' })).status).to.be.oneOf([404, 429])
  })

  describe('in a browser', function () {
    this.timeout(60_000)
    let browser: Browser
    before(async () => { browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArgs }) })
    after(() => browser?.close())

    async function open(width: number): Promise<{ page: Page, complaints: string[], asked: string[] }> {
      const page = await browser.newPage({ viewport: { width, height: 900 } })
      const complaints: string[] = []
      const asked: string[] = []
      page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()) })
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(app.url)
      await page.getByRole('heading', { name: 'Create an address' }).waitFor()
      return { page, complaints, asked }
    }

    for (const width of [1280, 390]) {
      it(`shows every operation without requests to other hosts, ${width} pixels wide`, async () => {
        const { page, complaints, asked } = await open(width)
        expect(await page.title()).to.equal('Mayfly API')
        expect(await page.getByRole('heading', { level: 1, name: 'Mayfly API' }).count()).to.equal(1)
        const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts()
        expect(headings.map((text) => text.trim())).to.include.members(operations.map(({ definition }) => definition.summary))
        expect(await page.evaluate('document.documentElement.scrollWidth'), 'wider than the window').to.equal(width)
        const elsewhere = asked.filter((url) => !url.startsWith(app.url) && !/^(data|blob):/.test(url))
        expect(elsewhere).to.deep.equal([])
        expect(complaints).to.deep.equal([])
        await page.close()
      })
    }

    it('finds an operation by a search word', async () => {
      const { page, complaints } = await open(1280)
      await page.getByPlaceholder('Search').fill('rotate')
      await page.locator('[role=search] [role=menuitem], [data-role="search:results"] li').first().waitFor()
      expect(complaints).to.deep.equal([])
      await page.close()
    })
  })
})
