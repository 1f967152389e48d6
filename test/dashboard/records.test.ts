import { expect } from 'chai'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'

/** The pages Analytics, Audit log and Send share a server and a browser. */
describe('Dashboard: records', function () {
  let dashboard: Dashboard
  before(async () => { dashboard = await openDashboard() })
  after(() => dashboard[Symbol.asyncDispose]())

  it('sends a mail, follows its state, and lists it', async () => {
    const { app, url } = dashboard
    const { address } = await app.newAddress({ alias: 'sender' })
    const page = await dashboard.openPage()
    await page.goto(`${url}/send`)
    await page.getByText('This server keeps outgoing mail').waitFor()
    expect(await page.getByRole('combobox', { name: 'From' }).inputValue()).to.equal(address)
    await page.getByRole('textbox', { name: 'To' }).fill('Ada <ada@example.com>')
    await page.getByRole('textbox', { name: 'Subject' }).fill('Where is my order?')
    await page.getByRole('textbox', { name: 'Text' }).fill('It is number 1042.')
    await page.getByRole('button', { name: 'Send mail' }).click()
    await page.getByRole('status').getByText('Captured').waitFor()
    const row = page.getByRole('table', { name: 'Recently sent' }).getByRole('row', { name: /Where is my order\?/ })
    await row.getByText('Captured').waitFor()

    const { data: [listed] } = (await app.api('GET', '/emails?type=sent')).body
    const { data } = (await app.api('GET', `/emails/${listed.id}`)).body
    expect(data).to.include({ from: address, to: 'ada@example.com', subject: 'Where is my order?', bodyText: 'It is number 1042.', status: 'captured' })
  })

  it('answers a mail from its reader, and the server completes what is left empty', async () => {
    const { app, url } = dashboard
    const { id: addressId, address } = await app.newAddress({ alias: 'asked' })
    const headers = { 'Reply-To': 'desk@example.com' }
    await app.send({ from: 'Ada <ada@example.com>', to: address, subject: 'Your order', text: 'Hello', messageId: '<1@example.com>', headers })
    await app.settled()
    const { id } = await app.onlyEmail(addressId)
    const page = await dashboard.openPage()
    await page.goto(`${url}/mail/${addressId}/${id}`)
    await page.getByRole('link', { name: 'Reply' }).click()
    const form = page.getByRole('form', { name: 'Reply' })
    await form.getByText('Reply to Your order').waitFor()
    expect(await form.getByRole('combobox', { name: 'From' }).inputValue()).to.equal(address)
    expect(await form.getByRole('textbox', { name: 'To' }).getAttribute('placeholder')).to.equal('desk@example.com')
    await form.getByRole('textbox', { name: 'Text' }).fill('Thank you.')
    await form.getByRole('button', { name: 'Send mail' }).click()
    await page.getByRole('status').getByText('Captured').waitFor()
    const { data: [listed] } = (await app.api('GET', '/emails?type=sent')).body
    const { data } = (await app.api('GET', `/emails/${listed.id}`)).body
    expect(data).to.include({ from: address, to: 'desk@example.com', subject: 'Re: Your order', bodyText: 'Thank you.', inReplyTo: '1@example.com' })
  })

  it('shows the reason for which a mail is refused', async () => {
    await dashboard.app.newAddress()
    const page = await dashboard.openPage()
    await page.goto(`${dashboard.url}/send`)
    await page.getByRole('textbox', { name: 'To' }).fill('ada@example.com, bob@example.com')
    await page.getByRole('textbox', { name: 'Subject' }).fill('Hello')
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello')
    await page.getByRole('button', { name: 'Send mail' }).click()
    expect(await page.getByRole('alert').innerText()).to.match(/exactly one/)
  })

  it('shows the counters and days of the API', async () => {
    const { app, url } = dashboard
    const { address } = await app.newAddress()
    for (const subject of ['one', 'two', 'three']) await app.send({ to: address, subject, text: subject })
    await app.settled()
    const counters = (await app.api('GET', '/analytics')).body
    const days = (await app.api('GET', '/analytics/daily?days=30')).body.data
    const page = await dashboard.openPage()
    await page.goto(`${url}/analytics`)
    const { received, sent } = days.at(-1)
    await page.getByRole('img', { name: `Mail of the last 30 days: ${received} received, ${sent} sent.` }).waitFor()
    const shown = await page.locator('dl > div').evaluateAll((cards) => cards.map((card) => [
      card.querySelector('dt')!.textContent, Number(card.querySelector('dd')!.textContent),
    ]))
    expect(Object.fromEntries(shown)).to.deep.equal({
      'Active addresses': counters.activeAddresses, 'Addresses, also expired': counters.totalAddresses,
      'Received this month': counters.thisMonthReceived, 'Sent this month': counters.thisMonthSent,
      'Received in all': counters.totalEmailsReceived, 'Sent in all': counters.totalEmailsSent,
    })
    expect(counters.totalEmailsReceived).to.be.at.least(3)
    await page.getByText('Table', { exact: true }).click()
    const rows = page.getByRole('table', { name: 'The last 30 days' }).getByRole('row')
    expect(await rows.count()).to.equal(31)
    expect(await rows.nth(1).getByRole('cell').allInnerTexts()).to.deep.equal([
      new Date(days.at(-1).day).toLocaleDateString('en', { dateStyle: 'full', timeZone: 'UTC' }), String(received), String(sent),
    ])
  })

  it('lists changes with key, session and status, and reads on request, filtered by the server', async () => {
    const { app, url } = dashboard
    await app.api('GET', '/emails/019ceb92-ea80-752e-bca9-6513269e0d37')
    const { id } = await app.newAddress()
    const page = await dashboard.openPage()
    await page.goto(`${url}/audit`)
    const table = page.getByRole('table', { name: 'Audit log' })
    const cells = (row: number) => table.getByRole('row').nth(row).getByRole('cell').filter({ visible: true }).allInnerTexts()
    await table.getByRole('row', { name: /addresses\.create/ }).first().waitFor()
    expect(await table.getByRole('row', { name: /\.get|\.list/ }).count()).to.equal(0)

    const filter = page.getByRole('searchbox', { name: 'Filter' })
    await filter.fill(id)
    await table.getByRole('row').nth(2).waitFor({ state: 'detached' })
    expect((await cells(1)).slice(0, 5)).to.deep.equal(['addresses.create', '201', 'test', id, '127.0.0.1'])
    expect(await table.getByRole('row').nth(1).locator('time').getAttribute('title')).to.match(/\d{4}/)
    await filter.fill('webhooks.rotateSecret')
    await page.getByText('No call matches').waitFor()

    await filter.fill('emails.get')
    await page.getByRole('switch', { name: 'Show reads' }).check()
    await page.getByRole('combobox', { name: 'Result' }).selectOption({ label: 'Refused (4xx)' })
    await table.getByText('404').first().waitFor()
    expect((await cells(1)).slice(0, 2)).to.deep.equal(['emails.get', '404'])
    await page.getByRole('combobox', { name: 'Result' }).selectOption({ label: 'All results' })

    await app.api('GET', '/analytics')
    await filter.fill('')
    await page.getByRole('combobox', { name: 'Caller' }).selectOption({ label: 'test' })
    await table.getByRole('row').nth(1).getByText('analytics.get').waitFor()
  })
})
