import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { repeatEmail } from '../support/store/mails.ts'
import { mailRow, openAddress, sendTo } from './mail-page.ts'

describe('Dashboard: addresses, keys and long lists of mail', function () {
  let dashboard: Dashboard
  let page: Page

  before(async function () {
    dashboard = await openDashboard()
    await dashboard.app.newAddress()
    page = await dashboard.openPage()
    page.setDefaultTimeout(8_000)
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const row = (subject: string) => mailRow(page, subject)
  const readEmail = async (id: string) => (await dashboard.app.api('GET', `/emails/${id}`)).body.data
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
  /** Waits until the focus is on the row of a mail. */
  const focused = (subject: string) => page.locator('[data-mail]:focus').filter({ hasText: subject }).waitFor()
  const press = async (...keys: string[]) => { for (const key of keys) await page.keyboard.press(key) }
  const changed = (method: string) => page.waitForResponse((response) => response.request().method() === method && response.ok())

  it('opens, reads, stars, selects, deletes and restores mail by keys alone', async () => {
    const { id, ids: [older, newer] } = await openAddress(dashboard, page, 'Older', 'Newer')
    await press('j')
    await focused('Newer')
    await press('j')
    await focused('Older')
    const read = changed('PATCH')
    await press('Enter')
    await page.getByRole('heading', { name: 'Older', level: 2 }).waitFor()
    await read
    expect((await readEmail(older!)).isRead).to.equal(true)
    await press('k')
    await page.getByRole('heading', { name: 'Newer', level: 2 }).waitFor()
    await press('u')
    await page.waitForURL(`**/mail/${id}`)
    await focused('Newer')

    const starred = changed('PATCH')
    await press('s')
    await starred
    expect((await readEmail(newer!)).isStarred).to.equal(true)
    const unread = changed('PATCH')
    await press('Shift+U')
    await unread
    expect((await readEmail(newer!)).isRead).to.equal(false)

    await press('x')
    await page.getByText('1 selected').waitFor()
    await press('#')
    await row('Newer').waitFor({ state: 'detached' })
    await focused('Older')
    await press('z')
    await row('Newer').waitFor()
    await press('/')
    await page.getByRole('textbox', { name: 'Search' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('s?n') // text, not keys
    expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).to.equal('s?n')
    await press('Escape', 'Escape')
    await press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Undo the last deletion').waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('makes an address and copies it, by the button and by a key', async () => {
    for (const make of [() => page.getByRole('button', { name: 'New address' }).click(), () => press('n')]) {
      const before = await page.locator('[aria-current="page"][data-address]').getAttribute('title')
      await make()
      const heading = page.getByRole('heading', { level: 2 }).filter({ hasText: '@', hasNotText: before! })
      await heading.waitFor()
      await page.getByText(`${await heading.innerText()} is copied.`).waitFor()
      expect(await readClipboard()).to.equal(await heading.innerText())
    }
  })

  it('makes an address with options, and shows errors at their fields', async () => {
    await page.getByRole('button', { name: 'Address with options' }).click()
    const dialog = page.getByRole('dialog', { name: 'New address with options' })
    await dialog.getByRole('textbox', { name: 'Alias' }).fill('two words')
    await dialog.getByRole('button', { name: 'Create address' }).click()
    await dialog.locator('[aria-invalid="true"]').and(dialog.getByLabel('Alias')).waitFor()
    await dialog.getByRole('textbox', { name: 'Alias' }).fill('postmaster')
    await dialog.getByRole('button', { name: 'Create address' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'postmaster' }).waitFor()
    await dialog.getByRole('textbox', { name: 'Alias' }).fill('chosen')
    await dialog.getByRole('combobox', { name: 'Lifetime' }).selectOption('10 min')
    await dialog.getByRole('button', { name: 'Create address' }).click()
    await page.getByRole('heading', { name: /^chosen@/, level: 2 }).waitFor()
    await page.getByText(/Time left (10:00|9:\d\d)/).waitFor()
  })

  it('deletes an address after a question', async () => {
    const { id } = await openAddress(dashboard, page, 'Of a deleted address')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete the address' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete address' }).click()
    await page.waitForURL(({ pathname }) => !pathname.includes(id))
    await page.locator(`[data-address="${id}"]`).waitFor({ state: 'detached' })
    expect((await dashboard.app.api('GET', `/addresses/${id}`)).status).to.equal(404)
    await page.goto(`${dashboard.url}/mail/${id}`)
    await page.getByRole('heading', { name: 'There is no such address' }).waitFor()
  })

  it('loads older mail when it is scrolled to, and keeps its place when new mail arrives', async () => {
    const { id, address } = await openAddress(dashboard, page, 'Repeated')
    await repeatEmail(dashboard.app, id, 699)
    await page.reload()
    await row('Repeated').first().waitFor()
    const scroller = page.locator('[data-mail-scroller]')
    await scroller.evaluate(async (element) => {
      while (!element.querySelector('[aria-posinset="700"]')) {
        element.scrollTop = element.scrollHeight
        await new Promise(requestAnimationFrame)
      }
    })
    await page.locator('[aria-posinset="700"][aria-setsize="700"]').waitFor()
    expect(await page.locator('[data-mail]').count()).to.be.below(40)

    const topRow = () => scroller.evaluate((element) => {
      const { top, left } = element.getBoundingClientRect()
      return document.elementFromPoint(left + 60, top + 40)?.closest<HTMLElement>('[data-mail]')?.dataset['mail']
    })
    await scroller.evaluate((element) => { element.scrollTop = 60 * 44 })
    await page.locator('[aria-posinset="61"]').waitFor()
    const before = await topRow()
    expect(before).to.be.a('string')
    await sendTo(dashboard, address, 'One more')
    await page.locator('[aria-posinset="62"]').filter({ has: page.locator(`[data-mail="${before}"]`) }).waitFor()
    expect(await topRow()).to.equal(before)
  })

  it('shows one pane at a time on a phone, without scrolling sideways, and no accessibility violation in either scheme', async () => {
    const { address, id } = await openAddress(dashboard, page, 'On a phone')
    const check = async (view: string, ...schemes: ('light' | 'dark')[]) => {
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect(violations.map(({ id: rule, nodes }) => `${view}, ${colorScheme}: ${rule}: ${nodes[0]?.html}`)).to.deep.equal([])
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), view).to.be.at.most(0)
    }
    await check('three panes', 'light', 'dark')
    await page.setViewportSize({ width: 390, height: 800 })
    await check('mails', 'light')
    await row('On a phone').getByRole('link').click()
    await page.getByRole('heading', { name: 'On a phone', level: 2 }).waitFor()
    await row('On a phone').waitFor({ state: 'hidden' })
    await page.goBack()
    await page.getByRole('heading', { name: address }).waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await page.locator(`[data-address="${id}"]`).click()
    await row('On a phone').waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await check('addresses', 'dark')
  })
})
