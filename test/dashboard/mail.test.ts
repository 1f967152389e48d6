import { expect } from 'chai'
import { createTransport } from 'nodemailer'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { mailRow, openAddress, sendTo } from './mail-page.ts'

describe('Dashboard: addresses and mail', function () {
  let dashboard: Dashboard
  let page: Page

  before(async function () {
    dashboard = await openDashboard()
    page = await dashboard.openPage()
    page.setDefaultTimeout(8_000)
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const readEmail = async (id: string) => (await dashboard.app.api('GET', `/emails/${id}`)).body.data
  const row = (subject: string, on = page) => mailRow(on, subject)
  const open = (...subjects: string[]) => openAddress(dashboard, page, ...subjects)

  it('creates an address at the first visit, and shows the mail that its command sends', async () => {
    const command = await page.locator('pre').filter({ hasText: 'curl' }).innerText()
    const found = /^curl -s smtp:\/\/([^:\s]+):(\d+) \\\n {2}--mail-from (\S+) \\\n {2}--mail-rcpt (\S+) \\\n {2}-T - <<'MAIL'\n([^]+)\nMAIL$/.exec(command)
    const [, host, port, from, to, raw] = found!
    await page.getByRole('heading', { name: to!, level: 2 }).waitFor()

    const transport = createTransport({ host, port: Number(port), tls: { rejectUnauthorized: false } })
    await transport.sendMail({ envelope: { from, to: [to!] }, raw })
    transport.close()
    await row('Your code is 482913').waitFor()
    const { total } = (await dashboard.app.api('GET', '/addresses')).body.data
    expect(total).to.equal(1)
  })

  it('shows new mail in every tab, without reloading', async () => {
    const { id, address } = await open('First of two tabs')
    const other = await page.context().newPage()
    await other.goto(`${dashboard.url}/mail`)
    await row('First of two tabs', other).waitFor()
    for (const subject of ['Second of two tabs', 'Third of two tabs']) {
      await sendTo(dashboard, address, subject)
      await Promise.all([page, other].map((tab) => row(subject, tab).waitFor({ timeout: 3_000 })))
    }
    expect(await page.locator('[data-mail]').count()).to.equal(3)
    await page.getByRole('link', { name: '3 mails, 3 unread' }).and(page.locator(`[data-address="${id}"]`)).waitFor()
    await other.close()
  })

  it('searches on the server, and shows all mail after Escape', async () => {
    await open('Invoice of November', 'Welcome')
    await page.getByRole('textbox', { name: 'Search' }).fill('invoi')
    await row('Welcome').waitFor({ state: 'detached' })
    await row('Invoice of November').waitFor()
    await page.getByRole('textbox', { name: 'Search' }).fill('nowhere')
    await page.getByRole('heading', { name: 'No mail has these words' }).waitFor()
    await page.getByRole('textbox', { name: 'Search' }).press('Escape')
    await row('Welcome').waitFor()
  })

  it('stars a mail, and takes the star back when the server refuses it', async () => {
    const { ids: [id] } = await open('To be starred')
    const patched = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Star To be starred' }).click()
    expect((await patched).status()).to.equal(200)
    expect((await readEmail(id!)).isStarred).to.equal(true)

    await page.getByRole('combobox', { name: 'Show' }).selectOption('starred')
    await row('To be starred').waitFor()
    await page.route('**/emails/*', (route) => route.fulfill({ status: 409, json: { error: 'This is refused.', code: 'CONFLICT' } }))
    await page.getByRole('button', { name: 'Remove the star of To be starred' }).click()
    await page.getByRole('alert').filter({ hasText: 'This is refused.' }).waitFor()
    await page.getByRole('button', { name: 'Remove the star of To be starred' }).waitFor()
    await page.unroute('**/emails/*')
  })

  it('changes several mails at once', async () => {
    const { ids } = await open('One', 'Two', 'Three', 'Four')
    await row('Four').getByRole('checkbox').check()
    await row('Two').getByRole('checkbox').click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    await page.getByRole('button', { name: 'Mark as read' }).click()
    await page.waitForFunction(() => document.querySelectorAll('[data-unread] [data-mail]').length === 1)
    await page.getByRole('checkbox', { name: 'Select all loaded mails' }).click() // clears
    await page.getByRole('checkbox', { name: 'Select all loaded mails' }).check()
    await page.getByText('4 selected').waitFor()
    const changed = new Set<string>()
    const all = page.waitForResponse((response) => response.request().method() === 'PATCH' && changed.add(response.url()).size === ids.length)
    await page.getByRole('button', { name: 'Star', exact: true }).click()
    await all
    const states = await Promise.all(ids.map(readEmail))
    expect(states.map(({ isRead }) => isRead)).to.deep.equal([false, true, true, true])
    expect(states.map(({ isStarred }) => isStarred)).to.deep.equal([true, true, true, true])
  })

  it('deletes several addresses at once, after it has asked', async () => {
    const aliases = ['bulk-one', 'bulk-two', 'bulk-kept']
    const addresses = []
    for (const alias of aliases) addresses.push(await dashboard.app.newAddress({ alias }))
    const [first, , kept] = addresses.map(({ id }) => id)
    await page.goto(`${dashboard.url}/mail/${first}`)
    await page.getByRole('button', { name: 'Select addresses' }).click()
    for (const alias of aliases.slice(0, 2)) await page.getByRole('checkbox', { name: `Select ${alias}` }).check()
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Delete the selected addresses' }).click()
    await page.getByRole('dialog', { name: 'Delete 2 addresses?' }).waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await page.getByRole('button', { name: 'Delete addresses' }).click()
    await page.getByText('2 addresses are deleted.').waitFor()
    await page.getByRole('link', { name: /^bulk-one/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^bulk-kept/ }).waitFor()
    await page.getByRole('button', { name: 'Select addresses' }).waitFor()
    expect(page.url()).to.not.include(first!)
    const statuses = await Promise.all(addresses.map(async ({ id }) => (await dashboard.app.api('GET', `/addresses/${id}`)).status))
    expect(statuses).to.deep.equal([404, 404, 200])
    await dashboard.app.api('DELETE', `/addresses/${kept}`)
  })

  it('deletes at once, undoes it, and restores deleted mail in the filter', async () => {
    const { ids: [id] } = await open('Kept', 'Deleted')
    const isDeleted = async (subject: string) => (await readEmail(subject)).isDeleted as boolean
    const answered = (method: string) => page.waitForResponse((response) => response.request().method() === method && response.ok())
    const remove = async (subject: string) => {
      const deleted = answered('DELETE')
      await row(subject).getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await row(subject).waitFor({ state: 'detached' })
      await deleted
    }
    await remove('Kept')
    expect(await isDeleted(id!)).to.equal(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('Kept').waitFor()
    await page.getByText('Mail restored').waitFor()
    expect(await isDeleted(id!)).to.equal(false)

    await remove('Kept')
    await page.reload()
    await page.getByRole('combobox', { name: 'Show' }).selectOption('deleted')
    const restored = answered('POST')
    await row('Kept').getByRole('button', { name: 'Restore' }).click()
    await row('Kept').waitFor({ state: 'detached' })
    await restored
    await page.getByRole('combobox', { name: 'Show' }).selectOption('all')
    await row('Kept').waitFor()
    expect(await isDeleted(id!)).to.equal(false)
  })
})
