import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { frameOf, openDashboard, openMail } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'

describe('Dashboard: measuring of a mail, with scrollbars that take space', function () {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard({ launch: { ignoreDefaultArgs: ['--hide-scrollbars'] } })
    page = await dashboard.openPage({ viewport: { width: 1280, height: 800 } })
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const widthOfFrame = () => page.evaluate(() => document.querySelector<HTMLIFrameElement>('iframe[title=Message]')!.clientWidth)

  /** @returns how often the frame is measured within so many frames of the page */
  const countMeasurements = (frames: number) => page.evaluate(async (count) => {
    let measured = 0
    const observer = new MutationObserver((records) => { measured += records.filter(({ oldValue }) => /(?:^|\W)height: 0/.test(oldValue ?? '')).length })
    observer.observe(document.querySelector('iframe[title=Message]')!, { attributes: true, attributeFilter: ['style'], attributeOldValue: true })
    for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame)
    observer.disconnect()
    return measured
  }, frames)

  for (const [name, highPx] of Object.entries({ 'of the mail': 30_000, 'of the page': 3_000 })) {
    it(`ends for a mail that is high without the scrollbar ${name} alone`, async () => {
      await openMail(dashboard, page, { subject: 'Plain', html: '<p id=end>x' })
      await frameOf(page).locator('#end').waitFor()
      const width = await widthOfFrame()
      const html = `<style>p { height: 10px } @media (min-width: ${width - 5}px) { p { height: ${highPx}px } }</style><p></p><b id=end>x`
      await openMail(dashboard, page, { subject: 'Flip', html })
      await frameOf(page).locator('#end').waitFor()
      await countMeasurements(20)
      expect(await countMeasurements(60)).to.equal(0)
    })
  }

  it('has the mail scroll within the frame when it changed too often', async () => {
    await openMail(dashboard, page, { subject: 'Changes', html: '<details><summary>More</summary><p style="height: 2000px">x</details><b id=end>x' })
    await frameOf(page).locator('#end').waitFor()
    const overflow = () => frameOf(page).locator('html').evaluate((root) => getComputedStyle(root).overflowY)
    expect(await overflow()).to.equal('hidden')
    await page.evaluate(async () => {
      const details = document.querySelector<HTMLIFrameElement>('iframe[title=Message]')!.contentDocument!.querySelector('details')!
      for (let change = 0; change < 250; change++) {
        details.open = !details.open
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      }
    })
    expect(await overflow()).to.equal('auto')
    expect(await countMeasurements(20)).to.equal(0)
  })
})
