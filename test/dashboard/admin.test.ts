import { expect } from 'chai'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { signIn } from '../support/sessions.ts'

describe('Dashboard: administration', function () {
  let dashboard: Dashboard
  before(async () => { dashboard = await openDashboard() })
  after(() => dashboard[Symbol.asyncDispose]())

  it('explains that the page is for administrators', async () => {
    const { email } = await signIn(dashboard.app, { plan: 'free' })
    const page = await dashboard.openPage({ account: email })
    await page.goto(`${dashboard.url}/admin`)
    await page.getByRole('heading', { name: 'This page is for administrators' }).waitFor()
    await page.getByText('MAYFLY_ADMINS').waitFor()
    expect(await page.getByRole('link', { name: 'Administration' }).count()).to.equal(0)
  })

  it('creates an account, finds it, changes its plan, and deletes it after its address is typed', async () => {
    const page = await dashboard.openPage()
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('button', { name: 'New account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Email address' }).fill('grace@example.org')
    await dialog.getByRole('combobox', { name: 'Plan' }).selectOption({ label: 'Pro' })
    await dialog.getByRole('button', { name: 'New account' }).click()
    await page.getByText('The account grace@example.org is created.').waitFor()

    await page.getByRole('searchbox', { name: 'Find an account' }).fill('GRACE')
    const table = page.getByRole('table', { name: 'Accounts' })
    await table.getByText(dashboard.app.account).waitFor({ state: 'detached' })
    const plan = table.getByRole('combobox', { name: 'Plan of grace@example.org' })
    expect(await plan.inputValue()).to.equal('pro')
    await plan.selectOption({ label: 'Business' })
    await page.getByText('The plan of grace@example.org is now Business.').waitFor()
    expect(await plan.inputValue()).to.equal('business')

    await page.getByRole('button', { name: 'Delete the account grace@example.org' }).click()
    const remove = dialog.getByRole('button', { name: 'Delete account' })
    await dialog.getByRole('textbox').fill('grace@example')
    expect(await remove.isDisabled()).to.equal(true)
    await dialog.getByRole('textbox').fill('grace@example.org')
    await remove.click()
    await page.getByRole('heading', { name: 'No account matches' }).waitFor()
  })

  it('makes links of the first thousand addresses of a captured mail', async () => {
    const { app } = dashboard
    const { id } = await app.newAddress()
    const sent = await app.api('POST', '/emails', { body: { fromAddressId: id, to: 'ada@example.com', subject: 'Many links', body: 'http://x.example/ '.repeat(2_000).trim() } })
    expect(sent.status).to.equal(202)
    await app.settled()
    const page = await dashboard.openPage()
    await page.goto(`${dashboard.url}/admin`)
    await page.getByRole('tab', { name: 'Captured mail' }).click()
    await page.getByRole('button', { name: 'Read “Many links”' }).click()
    const text = page.getByRole('dialog').locator('pre')
    await text.waitFor()
    expect((await text.textContent())!.trim().split(' ').length).to.equal(2_000)
    expect(await text.locator('a').count()).to.equal(1_000)
  })

  it('shows captured mail as text, and its HTML as source', async () => {
    const { app } = dashboard
    const { id, address } = await app.newAddress()
    const html = '<h1>Hello</h1><script>document.title = "run"</script>'
    await app.api('POST', '/emails', { body: { fromAddressId: id, to: 'ada@example.com', subject: 'Captured <b>', body: 'See https://shop.example/order.', bodyHtml: html } })
    await app.settled()
    const page = await dashboard.openPage()
    await page.goto(`${dashboard.url}/admin`)
    await page.getByRole('tab', { name: 'Captured mail' }).click()
    await page.getByText(`${address} to ada@example.com`).waitFor()
    await page.getByRole('button', { name: 'Read “Captured <b>”' }).click()
    const dialog = page.getByRole('dialog', { name: 'Captured <b>' })
    expect(await dialog.getByRole('link').getAttribute('href')).to.equal('https://shop.example/order')
    await dialog.getByText('HTML source').click()
    await dialog.getByText(html).waitFor()
    expect(await page.title()).to.equal('Administration · Mayfly')
  })
})
