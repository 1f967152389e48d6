import { expect } from 'chai'
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { dashboardFolder } from '../../build/dashboard.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { rawRequest } from '../support/raw-request.ts'
import { mailRow, sendTo } from './mail-page.ts'

/** Compressed by Brotli, as browsers take it over HTTPS. */
const maxScriptBytes = 150_000

const scripts = '**/assets/shell-*.js'

describe('Dashboard: load of a page', function () {
  let dashboard: Dashboard
  let addressId: string
  let address: string

  before(async () => {
    dashboard = await openDashboard({ messages: ['Failed to load resource'] })
    ;({ id: addressId, address } = await dashboard.app.newAddress())
    await sendTo(dashboard, address, 'Hello')
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  /** Opens Mail, or what there is of it without the scripts. */
  async function openMail(
    { withoutScripts, path = '/mail/all', ...context }: BrowserContextOptions & { withoutScripts?: boolean, path?: string } = {},
  ): Promise<{ page: Page, files: string[], calls: string[] }> {
    const page = await dashboard.openPage(context)
    await page.goto('about:blank') // so that nothing of the first page is counted
    if (withoutScripts) await page.route(scripts, (route) => route.abort())
    const [files, calls]: [string[], string[]] = [[], []]
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (request.resourceType() === 'script') files.push(basename(pathname))
      if (/^\/api\/v1\/(?!api-keys)/.test(pathname)) calls.push(pathname.slice('/api/v1'.length) + search)
    })
    await page.goto(dashboard.url + path)
    await (withoutScripts ? page.locator('.frame').waitFor() : mailRow(page, 'Hello').waitFor())
    return { page, files, calls }
  }

  it(`takes at most ${maxScriptBytes} bytes of JavaScript`, async () => {
    const { page, files } = await openMail()
    await page.waitForTimeout(500) // for those that load after the first rows
    const bytes = [...new Set(files)].reduce((sum, name) => sum + statSync(`${dashboardFolder}/assets/${name}.br`).size, 0)
    expect(bytes, files.join(' ')).to.be.at.most(maxScriptBytes).and.above(50_000)
    await page.context().close()
  })

  for (const withoutScripts of [true, false]) {
    it(`begins the requests of the lists ${withoutScripts ? 'before the scripts have loaded' : 'once, and has the account in the page'}`, async () => {
      for (const [path, own] of [['/mail/all', ['/emails?limit=50']], [`/mail/${addressId}`, [`/addresses/${addressId}`, `/emails?limit=50&address_id=${addressId}`]]] as const) {
        const { page, calls } = await openMail({ path, withoutScripts })
        await page.waitForTimeout(500) // in which nothing may be asked for again
        const expected = ['/addresses?limit=100', ...own, '/emails?q=is%3Aunread&limit=1', ...withoutScripts ? [] : ['/events']]
        expect(calls.toSorted()).to.deep.equal(expected.toSorted())
        await page.context().close()
      }
    })
  }

  it('misses no mail that arrives while the scripts load', async () => {
    const page = await dashboard.openPage()
    await mailRow(page, 'Hello').waitFor()
    const listed = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/emails?limit=50'))
    const { promise: sent, resolve: goOn } = Promise.withResolvers<void>()
    await page.route(scripts, async (route) => {
      await sent
      await route.continue()
    })
    const opened = page.goto(`${dashboard.url}/mail/all`)
    await listed
    await sendTo(dashboard, address, 'Meanwhile')
    goOn()
    await opened
    await mailRow(page, 'Meanwhile').waitFor({ timeout: 10_000 })
    await page.context().close()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 1280, 1900]) {
      it(`paints the frame of the pages first, as it is later, in ${colorScheme} colours at ${width} px`, async () => {
        const { page } = await openMail({ withoutScripts: true, colorScheme, viewport: { width, height: 800 } })
        const isPhone = width < 768
        const looks = (selector: string) => page.locator(selector).evaluate((element) => {
          const { backgroundColor, borderInlineEnd, borderBlockEnd } = getComputedStyle(element)
          const { x, y, width, height } = element.getBoundingClientRect()
          const body = getComputedStyle(document.body).backgroundColor
          return { backgroundColor, borderInlineEnd, borderBlockEnd, box: [x, y, width, height], body }
        })
        const iconAt = (selector: string) => page.locator(selector).first().evaluate((icon) => {
          const { x, y } = icon.getBoundingClientRect()
          return [Math.round(x), Math.round(y)]
        })
        const frame = await looks(isPhone ? '.frame-bar' : '.frame-icons')
        const icon = isPhone ? undefined : await iconAt('.frame-icons svg')
        await page.unroute(scripts)
        await page.reload()
        await mailRow(page, 'Hello').waitFor()
        expect(frame).to.deep.equal(await looks(isPhone ? 'header:has(button[aria-expanded])' : 'nav'))
        if (icon) expect(icon).to.deep.equal(await iconAt('nav a svg'))
        await page.context().close()
      })
    }
  }

  it('has the colours that the user has chosen before the scripts, and shifts nothing', async () => {
    const page = await dashboard.openPage({ colorScheme: 'light' })
    await page.getByRole('button', { name: 'Use dark colours' }).click()
    await page.goto(`${dashboard.url}/mail/all`)
    await mailRow(page, 'Hello').waitFor()
    const shifts = await page.evaluate(() => new Promise<string[]>((resolve) => {
      type Shift = PerformanceEntry & { sources: { node: Node }[] }
      const textsOf = (entry: PerformanceEntry) => (entry as Shift).sources.map(({ node }) => node.textContent!)
      new PerformanceObserver((list) => resolve(list.getEntries().flatMap(textsOf))).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve([]), 500)
    }))
    expect(shifts).to.deep.equal([])
    expect(await page.locator('.frame').isVisible()).to.equal(false)
    await page.route(scripts, (route) => route.abort())
    await page.reload()
    await page.locator('.frame').waitFor()
    expect(await page.locator('.frame').evaluate(() => getComputedStyle(document.body).backgroundColor)).to.equal('rgb(36, 36, 36)')
    await page.context().close()
  })

  it('has neither the data of a session nor the frame without one', async () => {
    const context = await dashboard.browser.newContext()
    await context.addCookies([{ name: 'mayfly', value: 'a'.repeat(43), url: dashboard.url }])
    const page = await context.newPage()
    await page.route(scripts, (route) => route.abort())
    const answer = await page.goto(`${dashboard.url}/mail`)
    expect(await answer!.text()).to.not.include('id="session"')
    expect(await page.locator('.frame').isVisible()).to.equal(false)
    await context.close()
  })

  it('is not kept by browsers and proxies', async () => {
    const { headers } = await rawRequest(dashboard.url, { path: '/mail', headers: { accept: 'text/html' } })
    expect(headers['cache-control']).to.equal('no-store')
  })
})
