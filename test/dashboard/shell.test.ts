import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { repeatEmail } from '../support/store/mails.ts'
import { mailRow, openAddress, sendTo } from './mail-page.ts'

describe('Dashboard: frame of the pages', function () {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
    await dashboard.app.newAddress()
    page = await dashboard.openPage({ viewport: { width: 1280, height: 800 } })
    page.setDefaultTimeout(20_000)
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const titled = (title: string) => page.waitForFunction((expected) => document.title === expected, title)
  const palette = () => page.getByRole('dialog', { name: 'Command palette' })
  const focusedName = () => page.evaluate(() => document.activeElement?.textContent)
  const widthOf = (name: string) => page.getByRole('separator', { name }).evaluate((each) => each.parentElement!.getBoundingClientRect().width)

  it('tells of new mail on every page, in the title, the icon, the navigation, and to screen readers', async () => {
    const { address } = await dashboard.app.newAddress()
    await page.goto(`${dashboard.url}/domains`)
    await titled('Domains · Mayfly')
    const icon = () => page.locator('link[rel=icon]').evaluate((link: HTMLLinkElement) => link.href)
    const quiet = await icon()
    await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor()
    await sendTo(dashboard, address, 'First')
    await page.getByRole('status').filter({ hasText: /^Mail from .*: First$/ }).waitFor({ state: 'attached' })
    await sendTo(dashboard, address, 'Second')
    await sendTo(dashboard, address, 'Third')
    await titled('(3) Domains · Mayfly')
    expect(await icon()).to.not.equal(quiet)
    const link = page.getByRole('link', { name: 'Mail', exact: true })
    expect(await link.getAttribute('aria-description')).to.equal('3 unread')
    await link.getByText('3', { exact: true }).waitFor()
    await link.click()
    await page.getByText('3 mails, 3 unread').first().waitFor()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await titled('Mail · Mayfly')
    expect(await icon()).to.equal(quiet)
  })

  it('shows a notification with the code, after the user has asked for them', async () => {
    const { address } = await dashboard.app.newAddress()
    const other = await dashboard.openPage({ permissions: ['notifications'] })
    await other.addInitScript(() => {
      const shown: string[] = []
      class Fake { static permission = 'granted'; static requestPermission = () => Promise.resolve('granted'); constructor(title: string, { body }: { body: string }) { shown.push(`${title} | ${body}`) } }
      Object.assign(window, { Notification: Fake, shown })
      document.hasFocus = () => false
    })
    await other.goto(`${dashboard.url}/account`)
    await other.getByRole('button', { name: 'Notify of new mail' }).click()
    await other.getByRole('button', { name: 'Stop notifications' }).waitFor()
    await dashboard.app.send({ to: address, from: 'Shop <shop@example.org>', subject: 'Sign in', text: 'Your code is 660417.' })
    await other.waitForFunction(() => (window as unknown as { shown: string[] }).shown.join() === 'Shop: 660417 | Sign in')
    await other.context().close()
  })

  it('leads to the first mail by the skip link, and has one stop for the Tab key in the navigation', async () => {
    await openAddress(dashboard, page, 'To be reached')
    await page.keyboard.press('Tab')
    expect(await focusedName()).to.equal('Skip to the content')
    await page.keyboard.press('Enter')
    await page.locator('[data-mail]:focus').filter({ hasText: 'To be reached' }).waitFor()
    await page.reload()
    await mailRow(page, 'To be reached').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await focusedName()).to.match(/^Mail/)
    await page.keyboard.press('ArrowDown')
    expect(await focusedName()).to.equal('Send')
    await page.keyboard.press('Tab')
    expect(await focusedName()).to.equal('New address')
  })

  it('finds pages, addresses and mails, and runs commands, by the palette', async () => {
    const { address, id } = await openAddress(dashboard, page, 'Needle in the haystack')
    const choose = async (text: string, option: string | RegExp) => {
      await page.keyboard.press('Control+k')
      await palette().getByRole('combobox').fill(text)
      await palette().getByRole('option', { name: option }).waitFor()
      await page.keyboard.press('Enter')
      await palette().waitFor({ state: 'detached' })
    }
    await choose('analyt', 'Analytics')
    await page.getByRole('heading', { name: 'Analytics', level: 1 }).waitFor()
    await choose(address, address)
    await page.waitForURL(`**/mail/${id}`)
    await choose('needle', /Needle in the haystack/)
    await page.getByRole('heading', { name: 'Needle in the haystack', level: 2 }).waitFor()
    await dashboard.app.send({ to: address, subject: 'Code', text: 'Your code is 118822.' })
    await mailRow(page, 'Your code is 118822').or(mailRow(page, 'Code')).first().waitFor()
    await choose('copy', 'Copy the last code')
    await page.getByText('118822 is copied.').waitFor()
    await page.keyboard.press('Control+k')
    await palette().getByRole('option').first().waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await page.keyboard.press('Escape')
  })

  it('shows a bar while test data is shown, which leads back', async () => {
    await page.getByRole('switch', { name: 'Test data' }).click()
    const bar = page.getByRole('note').filter({ hasText: 'Test data' })
    await bar.waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await bar.getByRole('button', { name: 'Leave' }).click()
    await bar.waitFor({ state: 'detached' })
  })

  it('shows an unknown path within the frame', async () => {
    await page.goto(`${dashboard.url}/no-such-page`)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.getByRole('link', { name: 'Domains' }).click()
    await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor()
  })

  it('changes the widths of the panes by keys and by the pointer, and remembers them', async () => {
    await openAddress(dashboard, page, 'Between borders')
    const border = page.getByRole('separator', { name: 'Width of the list' })
    const before = await widthOf('Width of the list')
    await border.press('ArrowRight')
    await border.press('ArrowRight')
    expect(await widthOf('Width of the list')).to.be.closeTo(before + 32, 1)
    const { x, y } = (await border.boundingBox())!
    await page.mouse.move(x + 4, y + 200)
    await page.mouse.down()
    await page.mouse.move(x + 64, y + 200, { steps: 3 })
    await page.mouse.up()
    expect(await widthOf('Width of the list')).to.be.closeTo(before + 92, 2)
    await page.reload()
    await mailRow(page, 'Between borders').waitFor()
    expect(await widthOf('Width of the list')).to.be.closeTo(before + 92, 2)
    await border.dblclick()
    expect(await widthOf('Width of the list')).to.be.closeTo(before, 1)
  })

  it('sorts addresses by their last mail, pins them and keeps notes', async () => {
    const first = await dashboard.app.newAddress()
    const second = await dashboard.app.newAddress()
    await sendTo(dashboard, first.address, 'Makes the older one the first')
    await page.goto(`${dashboard.url}/mail/${second.id}`)
    const top = (id: string) => page.waitForFunction((wanted) => [...document.querySelectorAll<HTMLElement>('[data-address]')]
      .sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)[0]?.dataset['address'] === wanted, id)
    await top(first.id)
    await page.getByRole('button', { name: /^Pin/ }).and(page.locator('[tabindex="0"]')).click()
    await top(second.id)
    await page.getByRole('button', { name: /^Note on/ }).and(page.locator('[tabindex="0"]')).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Note' }).fill('For the checkout')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.reload()
    await top(second.id)
    await page.locator(`[data-address="${second.id}"]`).getByText('For the checkout').waitFor()
    expect(await findViolations(page)).to.deep.equal([])
  })

  it('selects and marks mails that are not loaded', async () => {
    const { id } = await openAddress(dashboard, page, 'Repeated')
    await repeatEmail(dashboard.app, id, 129)
    await page.reload()
    await mailRow(page, 'Repeated').first().waitFor()
    await page.getByRole('checkbox', { name: 'Select all loaded mails' }).check()
    await page.getByText('50 selected').waitFor()
    await page.getByRole('button', { name: /^Select all \d+$/ }).click()
    await page.getByText('130 selected').waitFor()
    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await page.getByRole('textbox', { name: 'Search' }).waitFor()
  })
})
