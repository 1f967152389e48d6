import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { openDashboard, openMail } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'

const cell = '<td style="padding: 20px; border: 1px solid red"><h1>Receipt</h1>Your code is <b>482913</b></td><td align=right id=end>€ 49.00</td>'
const table = (width: number) => `<table width=${width} align=center cellspacing=0><tr>${cell}</tr></table>`

/** Mails that are wider than a phone, and some wider than a laptop leaves them. */
const wideMails: Record<string, string> = {
  'a table of 600 px': `<body style="margin: 0">${table(600)}`,
  'a table of 640 px from right to left': `<html dir=rtl><body>${table(640)}`,
  'a table of 700 px by its style': `<body style="overflow-x: hidden">${table(0).replace('width=0', 'style="width: 700px !important"')}`,
  'a body of a minimum width': `<html style="min-width: 600px"><body style="min-width: 600px; height: 100% !important">${table(500)}`,
  'an image of a fixed width': '<img style="width: 640px; max-width: none; height: 80px" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" id=end>',
  'a long address in a table': `<table width=600><tr><td id=end>https://shop.example/verify?t=${'a1'.repeat(120)}</td></tr></table>`,
  'long lines of code': `<table width=600><tr><td><pre style="white-space: pre" id=end>${'const code = 482913; '.repeat(20)}</pre></td></tr></table>`,
}

const fluidMail = `<div style="max-width: 600px; margin: auto"><p id=end>${'Your code is 482913. '.repeat(40)}</p><table width="100%"><tr><td>Total</td><td>€ 49.00</td></tr></table></div>`

/** Widths of windows: a phone, tablets, laptops, a large screen. */
const widths = [390, 768, 1024, 1280, 1366, 1440, 1536, 1920]

describe('Dashboard: width of a mail', function () {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
  })
  beforeEach(async () => {
    await page?.context().close()
    page = await dashboard.openPage({ viewport: { width: 1280, height: 900 } })
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  async function openNewMail(html: string) {
    await openMail(dashboard, page, { subject: 'Receipt', html })
    await shown()
  }

  const fullSize = () => page.getByRole('switch', { name: '100 %' })
  const reader = () => page.getByRole('article')

  /** Waits until the mail is there, and its frame as high as it. */
  const shown = () => page.waitForFunction(() => {
    const { contentDocument: mail, clientHeight } = document.querySelector<HTMLIFrameElement>('iframe[title=Message]') ?? {}
    return mail?.getElementById('end') && mail.readyState === 'complete' && clientHeight === mail.documentElement.scrollHeight
  })

  /** Waits until the mail was measured in a window of this width. */
  async function resizeTo(width: number) {
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(async () => {
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame)
    })
    await shown()
  }

  const measure = () => page.evaluate(() => {
    const { contentDocument, clientWidth, clientHeight } = document.querySelector<HTMLIFrameElement>('iframe[title=Message]')!
    const { documentElement: root } = contentDocument!
    const end = contentDocument!.getElementById('end')!.getBoundingClientRect()
    return {
      isWhole: root.scrollWidth <= clientWidth && end.left >= 0 && end.right <= clientWidth + 1 && root.scrollHeight === clientHeight,
      scale: Number(root.style.zoom || 1), height: clientHeight, pageScrolls: document.documentElement.scrollWidth > innerWidth,
    }
  })

  for (const [name, html] of Object.entries(wideMails)) {
    it(`shows all of a mail with ${name} in windows of all widths, without scrolling`, async () => {
      await openNewMail(html)
      for (const width of widths) {
        await resizeTo(width)
        const { isWhole, pageScrolls, scale } = await measure()
        expect({ width, isWhole, pageScrolls }).to.deep.equal({ width, isWhole: true, pageScrolls: false })
        expect(scale).to.be.within(0.45, 1)
      }
    })
  }

  it('shows a mail of 600 px in its own size from 1280 px on, and fluid mails always', async () => {
    await openNewMail(wideMails['a table of 600 px']!)
    for (const width of widths.filter((each) => each >= 1280)) {
      await resizeTo(width)
      const { isWhole, scale } = await measure()
      expect({ width, isWhole, scale }).to.deep.equal({ width, isWhole: true, scale: 1 })
    }
    await openNewMail(fluidMail)
    for (const width of widths) {
      await resizeTo(width)
      const { isWhole, scale } = await measure()
      expect({ width, isWhole, scale }).to.deep.equal({ width, isWhole: true, scale: 1 })
    }
    expect(await fullSize().count()).to.equal(0)
  })

  it('has a switch for the own size of the mail, by keyboard, which scrolls then, for as long as the tab is open', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await openNewMail(wideMails['a table of 600 px']!)
    const scaled = await measure()
    expect(scaled.scale).to.be.below(0.7)
    await fullSize().focus()
    await page.keyboard.press('Space')
    await page.waitForFunction(() => !document.querySelector<HTMLIFrameElement>('iframe[title=Message]')!.contentDocument!.documentElement.style.zoom)
    const full = await page.evaluate(() => {
      const { contentDocument, clientHeight } = document.querySelector<HTMLIFrameElement>('iframe[title=Message]')!
      const { documentElement: root } = contentDocument!
      root.scrollLeft = 9_999
      return { clientHeight, scrolled: root.scrollLeft, right: Math.round(contentDocument!.getElementById('end')!.getBoundingClientRect().right), width: root.clientWidth }
    })
    expect(full.clientHeight).to.be.above(scaled.height)
    expect(full.scrolled).to.be.above(200)
    expect(full.right).to.equal(full.width)
    await openNewMail(wideMails['a table of 640 px from right to left']!)
    expect(await fullSize().isChecked()).to.equal(true)
    expect((await measure()).scale).to.equal(1)
    await fullSize().click()
    await page.waitForFunction(() => document.querySelector<HTMLIFrameElement>('iframe[title=Message]')!.contentDocument!.documentElement.style.zoom)
  })

  it('gives the place of the addresses to an open mail in windows below 1700 px', async () => {
    await openNewMail(wideMails['a table of 600 px']!)
    const newAddress = page.getByRole('button', { name: 'New address' })
    for (const [width, areShown] of [[1024, false], [1280, false], [1690, false], [1710, true]] as const) {
      await page.setViewportSize({ width, height: 900 })
      expect(await newAddress.isVisible()).to.equal(areShown)
      expect(await page.getByRole('textbox', { name: 'Search' }).isVisible()).to.equal(true)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('button', { name: 'Close the mail' }).click()
    await newAddress.waitFor()
  })

  it('is as high as a mail that has heights by the window', async () => {
    await openNewMail('<body style="margin: 0"><p style="margin: 0; height: 100vh">one</p><p id=end style="margin: 0; min-height: calc(50dvh - 100px)">after</p>')
    expect((await measure()).height).to.equal(800)
    await openNewMail('<style>html, body { height: 100%; margin: 8px } @media (min-height: 300px) { #end { height: 900px } } @media (orientation: landscape) { #end { height: 900px } }</style><div style="min-height: 50lvh; width: 10vmin">one</div><p id=end>after</p>')
    const { height, isWhole } = await measure()
    expect(isWhole).to.equal(true)
    expect(height).to.be.within(300, 400)
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no problem of accessibility that axe finds with the switch in ${colorScheme} colours`, async () => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width: 390, height: 800 })
      await openNewMail(wideMails['a table of 600 px']!)
      await fullSize().waitFor()
      const { violations } = await new AxeBuilder({ page }).include('article').exclude('iframe').analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)).to.deep.equal([])
      expect(await reader().getByRole('switch', { name: '100 %' }).count()).to.equal(1)
    })
  }
})
