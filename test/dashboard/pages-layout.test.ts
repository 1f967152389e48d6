import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'chai'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'

/** Paths, and a text that a page shows once its data is there. */
const pages = {
  '/domains': 'DNS records of|was not found|have not answered', '/forwarding': 'Waiting for its owner', '/send': 'Recently sent', '/analytics': 'Sent in all',
  '/audit': 'addresses.create', '/admin': 'administrator',
}
const longName = 'a-rather-long-name-of-a-subdomain-for-tests.of-a-team.example.org'

describe('Dashboard: layout of pages', function () {
  this.timeout(60_000) // the dashboard is built, and a browser starts
  let dashboard: Dashboard
  before(async () => {
    dashboard = await openDashboard()
    const { app } = dashboard
    const { id, address } = await app.newAddress({ alias: 'x'.repeat(64) })
    await app.send({ to: address, subject: 'Hello', text: 'Hello' })
    await app.api('POST', '/domains', { body: { domain: longName } })
    await app.api('POST', '/forwarding-addresses', { body: { email: `ada.lovelace.of.the.analytical.engine@${longName}` } })
    await app.api('POST', '/emails', { body: { fromAddressId: id, to: `ada@${longName}`, subject: 'y'.repeat(200), body: 'Hello' } })
    await app.settled()
  })
  after(() => dashboard[Symbol.asyncDispose]())

  for (const [colorScheme, width] of [['light', 390], ['dark', 1280]] as const) {
    it(`has no violation of axe and nothing cut off, in ${colorScheme} colours and ${width} px`, async () => {
      const page = await dashboard.openPage({ colorScheme, viewport: { width, height: 900 } })
      for (const [path, text] of Object.entries(pages)) {
        await page.goto(dashboard.url + path)
        await page.getByText(new RegExp(text)).filter({ visible: true }).first().waitFor()
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect(violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) })), path).to.deep.equal([])
        const cutOff = await page.locator('main, main *').evaluateAll((elements) => elements
          .filter((element) => element.scrollWidth > element.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(element).overflowX))
          .map((element) => element.outerHTML.slice(0, 200)))
        expect(cutOff, `${path} scrolls sideways`).to.deep.equal([])
      }
    })
  }
})
