import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { openEndpoint } from '../support/endpoint.ts'
import { invite } from '../support/members.ts'
import { signIn } from '../support/sessions.ts'
import { emailOf } from '../support/store/accounts.ts'

/** Paths, and a text that a page shows once its data is there. */
type Pages = Record<string, string>

const longName = 'a-rather-long-name-of-a-subdomain-for-tests.of-a-team.example.org'
/** Axe, which takes a second a page, looks at each page in each scheme. */
const looks = [
  { colorScheme: 'light', width: 390, withAxe: true }, { colorScheme: 'dark', width: 1280, withAxe: true }, { colorScheme: 'light', width: 2560, withAxe: false },
] as const

describe('Dashboard: every page', function () {
  let dashboard: Dashboard
  let pages: Pages
  let closeEndpoint: () => PromiseLike<void>

  before(async () => {
    dashboard = await openDashboard({ env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } })
    const { app } = dashboard
    const endpoint = await openEndpoint()
    closeEndpoint = () => endpoint[Symbol.asyncDispose]()
    const { id, address } = await app.newAddress({ alias: 'x'.repeat(64) })
    const html = `<h1>Hello</h1><p>${'z'.repeat(300)} <a href="https://example.org/confirm?token=${'t'.repeat(200)}">Confirm</a></p>`
    await app.send({
      to: address, from: `"${'Ada '.repeat(20)}" <ada@example.org>`, subject: 's'.repeat(300), html,
      text: 'Your code is 482913.', attachments: [{ filename: `${'f'.repeat(200)}.png`, content: 'image' }],
    })
    await app.api('POST', '/domains', { body: { domain: longName } })
    await app.api('POST', '/forwarding-addresses', { body: { email: `ada.lovelace.of.the.analytical.engine@${longName}` } })
    await app.api('POST', '/emails', { body: { fromAddressId: id, to: `ada@${longName}`, subject: 'y'.repeat(200), body: 'Hello' } })
    const { body: { data: webhook } } = await app.api('POST', '/webhooks', { body: { url: `${endpoint.url}/${'w'.repeat(300)}`, events: ['email.received'] } })
    await app.api('POST', `/webhooks/${webhook.id}/test`)
    await invite(await signIn(app, { email: await emailOf(app, app.key) }), `ada.lovelace.of.the.analytical.engine@${longName}`)
    await app.settled()
    await app.api('POST', `/addresses/${id}/smtp-login`)
    const { body: { data: [email] } } = await app.api('GET', `/emails?type=received&addressId=${id}`)
    pages = {
      '/mail/all': 's{300}', [`/mail/${id}`]: 's{300}', [`/mail/${id}/${email.id}`]: '482913', [`/mail/${id}/smtp`]: 'Settings of your app', '/send': 'Recently sent',
      '/domains': 'DNS records of|was not found|have not answered', '/forwarding': 'Waiting for its owner',
      '/webhooks': 'w{300}', [`/webhooks/${webhook.id}`]: 'Succeeded|Failed', '/keys': 'svc_live_', '/analytics': 'Sent in all', '/audit': '[a-z]+[.](list|get|create)',
      '/account': 'This browser', '/members': 'Address of the account', '/admin': 'administrator', '/no-such-page': 'no such page',
    }
  })
  after(async () => {
    await dashboard?.[Symbol.asyncDispose]()
    await closeEndpoint?.()
  })

  /** Opens each page. @returns the pages with problems */
  async function onEach(page: Page, find: () => Promise<string[]>): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {}
    for (const [path, text] of Object.entries(pages)) {
      await page.goto(dashboard.url + path)
      await page.getByText(new RegExp(text)).filter({ visible: true }).first().waitFor({ timeout: 10_000 })
      const problems = await find()
      if (problems.length > 0) found[path] = problems
    }
    return found
  }

  for (const { colorScheme, width, withAxe } of looks) {
    it(`has ${withAxe ? 'no violation of axe and ' : ''}nothing cut off, in ${colorScheme} colours and ${width} px`, async () => {
      const page = await dashboard.openPage({ colorScheme, viewport: { width, height: 900 } })
      expect(await onEach(page, async () => [...withAxe ? await findViolations(page) : [], ...await findCutOff(page)])).to.deep.equal({})
      await page.context().close()
    })
  }

  it('lets every control be reached by the Tab key', async () => {
    const page = await dashboard.openPage({ viewport: { width: 1280, height: 900 } })
    expect(await onEach(page, () => findUnreached(page))).to.deep.equal({})
    await page.context().close()
  })
})

/** Elements that scroll sideways or stand beyond the right edge of the window, except in an element that shortens its text. */
const findCutOff = (page: Page) => page.evaluate(() => [...document.querySelectorAll('body, body *')]
  .filter((element) => {
    for (let holder = element.parentElement; holder && holder !== document.body; holder = holder.parentElement) {
      if (getComputedStyle(holder).textOverflow === 'ellipsis') return false
    }
    const { overflowX, visibility } = getComputedStyle(element)
    const { right, width } = element.getBoundingClientRect()
    const scrolls = element.scrollWidth > element.clientWidth + 1 && ['auto', 'scroll'].includes(overflowX)
    return scrolls || (width > 1 && visibility === 'visible' && right > innerWidth + 1)
  })
  .map((element) => element.outerHTML.slice(0, 200)))

/** Presses Tab until the focus returns to where it began. @returns the visible controls that never had it */
async function findUnreached(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const isVisible = (element: HTMLElement) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
    const controls = new Set([...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')]
      // a radio group, and a list with a current row, are one stop for Tab; arrow keys move in it
      .filter((control) => isVisible(control) && !control.matches(':disabled, [type=radio], [tabindex="-1"]')))
    Object.assign(window, { unreached: controls })
    document.addEventListener('focusin', ({ target }) => controls.delete(target as HTMLElement))
  })
  for (let pressed = 0; pressed < 150; pressed++) await page.keyboard.press('Tab')
  return page.evaluate(() =>
    [...(window as unknown as { unreached: Set<HTMLElement> }).unreached].map(({ outerHTML }) => outerHTML.slice(0, 200)))
}
