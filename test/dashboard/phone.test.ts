import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { mailRow, openAddress } from './mail-page.ts'

describe('Dashboard: mail on a phone', function () {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
    await dashboard.app.newAddress()
    page = await dashboard.openPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    page.setDefaultTimeout(20_000)
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  /** Moves a finger from the middle of a row. @param pixels to the right */
  async function swipe(subject: string, pixels: number) {
    const { x, y, height } = (await mailRow(page, subject).boundingBox())!
    const session = await page.context().newCDPSession(page)
    const at = (moved: number) => [{ x: x + 180 + moved, y: y + height / 2 }]
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
    for (const part of [0.25, 0.5, 0.75, 1]) await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(pixels * part) })
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }

  it('marks a mail as read by a swipe to the right, and deletes it by one to the left', async () => {
    await openAddress(dashboard, page, 'Swiped', 'Other')
    await swipe('Swiped', 40) // too short
    await swipe('Swiped', 120)
    await page.locator('li:not([data-unread])').filter({ hasText: 'Swiped' }).waitFor()
    await page.locator('li[data-unread]').filter({ hasText: 'Other' }).waitFor()
    await swipe('Swiped', -120)
    await mailRow(page, 'Swiped').waitFor({ state: 'detached' })
    await page.getByText('Mail deleted').waitFor()
  })

  it('leads from a mail to the next and the previous one', async () => {
    await openAddress(dashboard, page, 'Older', 'Newer')
    await mailRow(page, 'Newer').getByRole('link').tap()
    await page.getByRole('heading', { name: 'Newer', level: 2 }).waitFor()
    await page.getByRole('button', { name: 'Next', exact: true }).tap()
    await page.getByRole('heading', { name: 'Older', level: 2 }).waitFor()
    await page.getByRole('button', { name: 'Previous', exact: true }).tap()
    await page.getByRole('heading', { name: 'Newer', level: 2 }).waitFor()
    expect(await findViolations(page)).to.deep.equal([])
  })
})
