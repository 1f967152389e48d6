import { expect } from 'chai'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { capturedLink, press } from '../support/forwarding.ts'

describe('Dashboard: forwarding', function () {
  let dashboard: Dashboard
  before(async () => { dashboard = await openDashboard() })
  after(() => dashboard[Symbol.asyncDispose]())

  it('adds a forwarding address, notices that its owner agrees, and edits the rule of an address', async () => {
    const { app, url } = dashboard
    const shop = await app.newAddress({ alias: 'shop-orders' })
    await app.newAddress({ alias: 'other' })
    const page = await dashboard.openPage()
    await page.clock.install()
    await page.goto(`${url}/forwarding`)

    await page.getByRole('button', { name: 'Add forwarding address' }).click()
    await page.getByRole('textbox', { name: 'Email address' }).fill('ada@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Add forwarding address' }).click()
    const destination = page.getByRole('row', { name: /ada@example\.com/ })
    await destination.getByText('Waiting for its owner').filter({ visible: true }).waitFor()
    await press(app, await capturedLink(app, 'ada@example.com'))
    await page.clock.fastForward('00:06')
    await destination.getByText('Verified', { exact: true }).filter({ visible: true }).waitFor()

    await page.getByRole('searchbox', { name: 'Find an address' }).fill('shop')
    await page.clock.fastForward('00:01')
    await page.getByRole('button', { name: 'Edit the rule of other@' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `Edit the rule of ${shop.address}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Forwarding rule' })
    await dialog.getByRole('combobox', { name: 'Forward to' }).selectOption({ label: 'ada@example.com' })
    await dialog.getByRole('textbox', { name: 'Only from senders (@domain, an address, or part of a name)' }).fill('@shop.example')
    await dialog.getByRole('button', { name: 'Save rule' }).click()
    const rule = page.getByRole('row', { name: new RegExp(shop.address) })
    await rule.getByText('from “@shop.example”').filter({ visible: true }).waitFor()
    const saved = (await app.api('GET', `/addresses/${shop.id}/forwarding`)).body.data
    expect(saved).to.include({ forwardToEmail: 'ada@example.com', filterSender: '@shop.example', filterSubject: null, isActive: true })

    await page.getByRole('button', { name: `Edit the rule of ${shop.address}` }).click()
    await dialog.getByRole('combobox', { name: 'Forward to' }).selectOption({ label: 'Do not forward' })
    await dialog.getByRole('button', { name: 'Save rule' }).click()
    await rule.getByText('Not forwarded').filter({ visible: true }).waitFor()
    expect((await app.api('GET', `/addresses/${shop.id}/forwarding`)).body.data).to.include({ forwardToId: null, filterSender: '@shop.example', isActive: false })

    await page.getByRole('button', { name: 'Delete ada@example.com' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete forwarding address' }).click()
    await page.getByRole('heading', { name: 'No forwarding address yet' }).waitFor()
    expect((await app.api('GET', '/forwarding-addresses')).body.data.addresses).to.deep.equal([])
  })
})
