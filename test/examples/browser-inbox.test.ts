import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { serveInbox } from '../../examples/browser-inbox/serve.ts'
import { openTestApp } from '../support/app.ts'
import { launchChromium } from '../support/chromium.ts'
import { openMock } from '../support/mock.ts'
import type { Mock } from '../support/mock.ts'
import { rawRequest } from '../support/raw-request.ts'

const addressId = '019ceb92-ea80-752e-bca9-6513269e0d37'

describe('Examples: browser-inbox', function () {
  let inbox: Awaited<ReturnType<typeof serveInbox>>
  let browser: Browser

  before(async () => {
    inbox = await serveInbox(0)
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await inbox?.close()
  })

  /** A new page, its requests to other hosts, and its errors. With `prefer`, all requests of the page have this `Prefer` header. */
  async function openPage(hash = '', { width = 1280, dark = false, prefer = '' } = {}) {
    const extraHTTPHeaders: Record<string, string> = prefer ? { Prefer: prefer } : {}
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme: dark ? 'dark' : 'light', extraHTTPHeaders })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const outside: string[] = []
    const faults: string[] = []
    await context.route((url) => url.hostname !== '127.0.0.1', (route) => {
      outside.push(route.request().url())
      return route.abort()
    })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(inbox.url + hash)
    return { page, outside, faults, [Symbol.asyncDispose]: () => context.close() }
  }

  const at = ({ url }: { url: string }, more = '') => `/#url=${url}&key=any${more}`
  const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

  it('keeps serving after a request for an invalid path', async () => {
    expect((await rawRequest(inbox.url, { path: '//' })).status).to.equal(404)
    expect((await rawRequest(inbox.url, { path: '/?x' })).status).to.equal(200)
  })

  describe('on the mock', () => {
    let mock: Mock
    before(async () => { mock = await openMock() })
    after(() => mock?.[Symbol.asyncDispose]())

    it('shows the code of a mail, and copies it', async () => {
      await using opened = await openPage(at(mock))
      const { page } = opened
      expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('checkout-test@mail.localhost')
      expect(page.url(), 'the key does not stay in the address bar').to.equal(`${inbox.url}/`)
      await page.getByRole('button', { name: 'Copy address' }).click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal('checkout-test@mail.localhost')
      await page.getByRole('button', { name: /Example Shop.*482913 is your confirmation code/ }).click()
      await page.getByRole('button', { name: 'Copy code 482913' }).click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal('482913')
      const link = page.getByRole('link', { name: 'confirm your address' })
      expect(await link.getAttribute('href')).to.equal('https://shop.example/confirm?t=Zk3v9')
      expect(await link.getAttribute('rel')).to.include('noopener')
      expect(await page.frameLocator('iframe').locator('b').textContent()).to.equal('482913')
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'terms.txt' }).click()
      expect((await download).suggestedFilename()).to.equal('terms.txt')
      expect(opened.faults).to.deep.equal([])
    })

    it('can be used with the keyboard alone', async () => {
      await using opened = await openPage(at(mock))
      const { page } = opened
      const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
      await page.locator('.row').first().focus()
      await page.keyboard.press('ArrowDown')
      expect(await focused()).to.include('482913 is your confirmation code')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 2, name: '482913 is your confirmation code' }).waitFor()
      expect(await focused()).to.equal('482913 is your confirmation code')
      await page.keyboard.press('Escape')
      expect(await focused()).to.include('482913 is your confirmation code').and.include('Example Shop')
    })

    it('allows pages of other origins to request states and faults by headers, and to read the result', async () => {
      await using opened = await openPage()
      const answers = await opened.page.evaluate(async (url) => {
        const call = async (headers: Record<string, string>) => {
          const response = await fetch(`${url}/api/v1/emails`, { headers: { Authorization: 'Bearer svc_test_any', ...headers } })
          return {
            status: response.status, applied: response.headers.get('Preference-Applied'), retryAfter: response.headers.get('Retry-After'),
            limit: response.headers.get('X-RateLimit-Limit'), body: await response.json() as { total?: number, code?: string },
          }
        }
        return [await call({ Prefer: 'example=empty' }), await call({ Prefer: 'code=429' }), await call({ 'X-Mayfly-Fault': 'delay=1, status=503' })] as const
      }, mock.url)
      expect(answers[0]).to.deep.include({ status: 200, applied: 'example=empty', limit: '100' })
      expect(answers[0].body.total).to.equal(0)
      expect(answers[1]).to.include({ status: 429, applied: 'code=429', retryAfter: '42' })
      expect(answers[2]).to.include({ status: 503, retryAfter: '1' })
    })

    it('neither runs scripts of a hostile mail nor loads its resources', async () => {
      await using opened = await openPage(at(mock), { prefer: 'example=hostile-html' })
      const { page, outside } = opened
      await page.locator('.row').click()
      const heading = page.frameLocator('iframe').getByRole('heading', { name: 'You have won' })
      await heading.waitFor()
      await page.frameLocator('iframe').getByRole('link', { name: 'Claim it' }).click()
      await page.frameLocator('iframe').getByRole('button', { name: 'Log in' }).click()
      expect(await page.title()).to.equal('checkout-test@mail.localhost')
      expect(await heading.isVisible()).to.equal(true)
      expect(page.url()).to.equal(`${inbox.url}/`)
      expect(outside).to.deep.equal([])
      expect(await page.getByText('No check (SPF, DKIM) confirms that this mail is from evil.example.').isVisible()).to.equal(true)

      const pixel = page.waitForEvent('requestfailed', (request) => request.url() === 'https://evil.example/pixel.gif')
      await page.getByRole('button', { name: 'Load images' }).click()
      await pixel
      expect(outside).to.deep.equal(['https://evil.example/pixel.gif'])
      expect(await page.title()).to.equal('checkout-test@mail.localhost')
    })

    for (const [state, direction] of [['arabic', 'rtl'], ['hebrew', 'rtl'], ['japanese', 'ltr']]) {
      it(`shows ${state} unchanged`, async () => {
        await using opened = await openPage(at(mock), { width: 390, prefer: `example=${state}` })
        await opened.page.locator('.row').click()
        const subject = opened.page.getByRole('heading', { level: 2 })
        expect(await subject.evaluate((element) => getComputedStyle(element).direction)).to.equal(direction)
        expect(await opened.page.getByRole('button', { name: 'Copy code 482913' }).isVisible()).to.equal(true)
        expect(await fits(opened.page)).to.equal(true)
      })
    }

    for (const state of ['empty', 'long-subject', 'no-subject', 'no-body', 'text-only', 'html-only', 'emoji', 'fifty-attachments', 'not-authenticated']) {
      it(`fits 390 pixels with ${state}`, async () => {
        await using opened = await openPage(at(mock), { width: 390, dark: true, prefer: `example=${state}` })
        const { page, faults } = opened
        if (state === 'empty') {
          await page.getByRole('heading', { name: 'No mail yet' }).waitFor()
        } else {
          await page.locator('.row').click()
          await page.getByRole('heading', { level: 2 }).waitFor()
          const more = page.getByRole('button', { name: 'Show 44 more' })
          if (state === 'fifty-attachments') {
            await more.click()
            expect(await page.locator('.files li').count()).to.equal(50)
          }
          expect(await fits(page)).to.equal(true)
          await page.getByRole('button', { name: 'All mail' }).click()
        }
        expect(await fits(page)).to.equal(true)
        expect(faults).to.deep.equal([])
      })
    }

    it('reports that an address has expired, and offers a new one', async () => {
      await using opened = await openPage(at(mock, `&address=${addressId}`), { prefer: 'example=expired' })
      await opened.page.getByText('This address has expired.').waitFor()
      expect(await opened.page.getByText('Waiting for mail').isVisible()).to.equal(false)
      await opened.page.getByRole('button', { name: 'New address' }).click()
      await opened.page.getByText('Waiting for mail').waitFor()
    })

    it('reports an invalid key, and an unreachable server', async () => {
      await using opened = await openPage(at(mock), { prefer: 'code=401' })
      const { page } = opened
      const alert = page.locator('#connect').getByRole('alert')
      await alert.getByText('The server does not know this API key.').waitFor()
      await page.getByLabel('Server').fill('http://127.0.0.1:1024')
      await page.getByLabel('API key').fill('svc_test_any')
      await page.getByRole('button', { name: 'Open an inbox' }).click()
      await alert.getByText(/does not answer.*MAYFLY_CORS_ORIGINS=http:\/\/127\.0\.0\.1:\d+$/).waitFor()
    })
  })

  describe('on the server', () => {
    it('shows a mail as soon as it arrives, and a second one in the list', async () => {
      await using app = await openTestApp({ isRealTime: true, env: { MAYFLY_CORS_ORIGINS: inbox.url } })
      await using opened = await openPage()
      const { page, outside, faults } = opened
      await page.getByLabel('Server').fill(app.url)
      await page.getByLabel('API key').fill(app.key)
      await page.getByRole('button', { name: 'Open an inbox' }).click()
      await page.getByRole('heading', { name: 'No mail yet' }).waitFor()
      const to = await page.getByRole('heading', { level: 1 }).textContent()
      await page.getByText('Waiting for mail').waitFor()

      await app.send({
        to: to!, subject: 'رمز التأكيد', text: 'رمز التأكيد الخاص بك هو 482913.\n',
        html: '<p dir="rtl">رمز التأكيد الخاص بك هو <b>482913</b>.</p>', attachments: [{ filename: 'terms.txt', content: 'Terms\n' }],
      })
      await page.getByRole('button', { name: 'Copy code 482913' }).waitFor()
      expect(await page.getByRole('status').last().textContent()).to.equal('New mail from Shop: رمز التأكيد')
      expect(await page.frameLocator('iframe').locator('b').textContent()).to.equal('482913')

      await app.send({ to: to!, subject: 'The second', text: 'Hello\n' })
      await page.getByRole('button', { name: /Unread.*The second/ }).click()
      await page.getByRole('heading', { level: 2, name: 'The second' }).waitFor()
      await page.reload() // continues with the same address
      await page.getByRole('button', { name: /^Shop.*The second/ }).waitFor()
      expect(await page.locator('.row').count()).to.equal(2)
      expect(await page.locator('.row.unread').count()).to.equal(1)

      const [{ id }] = (await app.api('GET', '/addresses')).body.data.addresses
      await app.api('DELETE', `/addresses/${id}`)
      await page.getByRole('button', { name: /رمز التأكيد/ }).click()
      await page.getByText('There is no email with this id.').waitFor()
      await page.reload() // the address is deleted, so the page creates a new one
      await page.getByRole('heading', { name: 'No mail yet' }).waitFor()
      expect(await page.getByRole('heading', { level: 1 }).textContent()).not.to.equal(to)
      expect(outside).to.deep.equal([])
      expect(faults).to.deep.equal([])
    })

    it('shows a mail that is designed to block a page', async () => {
      await using app = await openTestApp({ isRealTime: true, env: { MAYFLY_CORS_ORIGINS: inbox.url } })
      const { id, address } = await app.newAddress()
      await app.send({ to: address, subject: 'Busy', html: `<p style="background: url(${' '.repeat(1_000_000)}x)">Hello</p>` })
      await app.settled()
      await using opened = await openPage(`/#url=${app.url}&key=${app.key}&address=${id}`)
      await opened.page.locator('.row').click()
      await opened.page.frameLocator('iframe').getByText('Hello').waitFor()
    })

    it('explains how to allow the page on a server that does not allow its origin', async () => {
      await using app = await openTestApp({ isRealTime: true })
      await using opened = await openPage(`/#url=${app.url}&key=${app.key}`)
      await opened.page.getByText(`MAYFLY_CORS_ORIGINS=${inbox.url}`).waitFor()
    })
  })
})
