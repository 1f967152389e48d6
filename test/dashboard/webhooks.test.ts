import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { isSigned, openEndpoint } from '../support/endpoint.ts'
import type { Endpoint } from '../support/endpoint.ts'
import { recordAnswers } from '../support/recorded-answers.ts'
import { signIn } from '../support/sessions.ts'
import { changePlan } from '../support/store/accounts.ts'

describe('Dashboard: webhooks', function () {
  let dashboard: Dashboard
  let endpoint: Endpoint

  before(async () => {
    endpoint = await openEndpoint()
    dashboard = await openDashboard({ env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } })
  })
  beforeEach(() => {
    endpoint.deliveries.length = 0
    endpoint.answer = () => {}
  })
  after(async () => {
    await dashboard?.[Symbol.asyncDispose]()
    await endpoint?.[Symbol.asyncDispose]()
  })

  /** Creates the only webhook over the API, since a URL has one, and opens its page. */
  async function openWebhook(): Promise<{ page: Page, id: string }> {
    const { body: listed } = await dashboard.app.api('GET', '/webhooks')
    for (const { id } of listed.data as { id: string }[]) await dashboard.app.api('DELETE', `/webhooks/${id}`)
    const { body } = await dashboard.app.api('POST', '/webhooks', { body: { url: endpoint.url, events: ['email.received'] } })
    const page = await dashboard.openPage()
    await page.goto(`${dashboard.url}/webhooks/${body.data.id}`)
    return { page, id: body.data.id }
  }

  const deliveriesOf = (page: Page) => page.getByRole('list', { name: 'Deliveries' }).locator('> li')

  it('are created with a secret that is shown once, and signs deliveries', async () => {
    const { id: addressId, address } = await dashboard.app.newAddress()
    const page = await dashboard.openPage()
    const answers = await recordAnswers(page)
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'URL' }).fill(endpoint.url)
    await dialog.getByRole('checkbox', { name: 'address.deleted' }).check()
    await dialog.getByRole('combobox', { name: 'Addresses' }).click()
    await page.getByRole('option', { name: address }).click()
    await page.keyboard.press('Tab')
    await dialog.getByRole('radio', { name: 'Form B' }).check()
    expect(await findViolations(page)).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    const secret = (await dialog.getByText(/^whsec_/).textContent())!
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.content()).to.not.include(secret)

    const row = page.getByRole('list', { name: 'Webhooks of the account' }).getByRole('listitem').filter({ hasText: endpoint.url })
    await row.getByText('Events of 1 address').waitFor()
    await row.getByRole('link', { name: endpoint.url }).click()
    await page.getByRole('heading', { level: 1, name: endpoint.url }).waitFor()
    expect(answers.filter((text) => text.includes(secret))).to.have.length(1)
    const { body } = await dashboard.app.api('GET', '/webhooks')
    expect(body.data[0]).to.deep.include({ events: ['email.received', 'address.deleted'], addressIds: [addressId], form: 'b' })
    await page.getByText('Form B').waitFor()

    await dashboard.app.api('DELETE', `/addresses/${addressId}`)
    await dashboard.app.settled()
    expect(endpoint.deliveries.map(({ event, headers, body }) => [event.type, isSigned({ headers, body }, secret)])).to.deep.equal([['address.deleted', true]])
    await page.context().close()
  })

  it('show the attempts of a test event with request and answer, as text, and deliver it again', async () => {
    endpoint.answer = (_delivery, response) => {
      response.writeHead(503, { 'content-type': 'text/html' }).end('<img src=x onerror="document.title=1"> busy')
      return null
    }
    const { page } = await openWebhook()
    await page.getByText('No event was delivered yet').waitFor()
    await page.getByRole('button', { name: 'Send test event' }).click()
    const failed = deliveriesOf(page).filter({ hasText: 'Failed' })
    await failed.getByText('503', { exact: true }).waitFor()
    await page.getByText('Of the newest attempts, 0 of 1 succeeded').waitFor()
    await failed.getByRole('button', { expanded: false }).click()
    await failed.getByText('<img src=x onerror="document.title=1"> busy').waitFor()
    const [sent] = endpoint.deliveries
    const details = await failed.textContent()
    for (const name of ['User-Agent', 'Content-Type', 'X-Service-Timestamp', 'X-Service-Event', 'X-Service-Delivery-ID', 'webhook-id', 'webhook-timestamp']) {
      expect(details).to.include(`${name}: ${sent!.headers[name.toLowerCase()] as string}`)
    }
    expect(details).to.include(JSON.stringify(sent!.event, null, 2))
    expect(await findViolations(page)).to.deep.equal([])

    endpoint.answer = () => {}
    await failed.getByRole('button', { name: 'Replay' }).click()
    await deliveriesOf(page).filter({ hasText: 'Succeeded' }).waitFor()
    expect(endpoint.deliveries.map(({ event }) => event.id)).to.deep.equal([sent!.event.id, sent!.event.id])
    expect(await deliveriesOf(page).count()).to.equal(1)
    expect(await page.getByRole('list', { name: /^Attempts for/ }).getByRole('listitem').count()).to.equal(2)
    await page.context().close()
  })

  it('show an endpoint that fails as failing, an event with its mail, and replay all that has failed', async () => {
    endpoint.answer = (_delivery, response) => {
      response.writeHead(500).end('down')
      return null
    }
    const { page, id } = await openWebhook()
    const { id: addressId, address } = await dashboard.app.newAddress()
    await dashboard.app.send({ to: address, subject: 'Your code is 482913', text: '482913' })
    const event = deliveriesOf(page).filter({ hasText: 'Your code is 482913' })
    await event.getByText('failed 1 of 5').waitFor()
    await page.getByText('Failing', { exact: true }).waitFor()
    await page.getByText('4 attempts left until it is disabled').waitFor()
    await page.getByText('Pending', { exact: true }).click()
    await event.waitFor()
    await page.goto(`${dashboard.url}/webhooks`)
    await page.getByRole('listitem').filter({ hasText: endpoint.url }).getByText('Failing', { exact: true }).waitFor()

    for (let i = 0; i < 2; i++) await dashboard.app.api('POST', `/webhooks/${id}/test`)
    await dashboard.app.settled()
    endpoint.answer = () => {}
    await page.goto(`${dashboard.url}/webhooks/${id}`)
    await page.getByRole('button', { name: 'Replay all 2 failed' }).click()
    await page.getByText('2 events are delivered again').waitFor()
    await page.getByText('Failed', { exact: true }).last().waitFor()
    await page.getByText('Active', { exact: true }).waitFor()
    await dashboard.app.api('DELETE', `/addresses/${addressId}`)
    await page.context().close()
  })

  it('have their attempts loaded by one request, for the list and the health', async () => {
    const { page, id } = await openWebhook()
    const asked: string[] = []
    page.on('request', (request) => { if (request.url().includes('/deliveries')) asked.push(new URL(request.url()).search) })
    await page.goto(`${dashboard.url}/webhooks/${id}`)
    const answer = () => page.waitForResponse((response) => response.url().includes('/deliveries'))
    for (let i = 0; i < 3; i++) await answer()
    expect([...new Set(asked)]).to.deep.equal(['?limit=50'])
    await page.context().close()
  })

  it('are disabled, enabled, edited and deleted', async () => {
    const { page, id } = await openWebhook()
    const stored = async () => (await dashboard.app.api('GET', `/webhooks/${id}`)).body.data
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('It was switched off.').waitFor()
    expect((await stored()).isActive).to.equal(false)
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Active', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'URL' }).fill(`${endpoint.url}/other`)
    await page.getByRole('dialog').getByRole('checkbox', { name: 'email.deleted' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: `${endpoint.url}/other` }).waitFor()
    expect(await stored()).to.deep.include({ isActive: true, events: ['email.received', 'email.deleted'], addressIds: null })

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/webhooks')
    expect((await dashboard.app.api('GET', `/webhooks/${id}`)).status).to.equal(404)
    await page.context().close()
  })

  it('get another secret, which is shown once', async () => {
    const { page, id } = await openWebhook()
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    const secret = (await page.getByRole('dialog').getByText(/^whsec_/).textContent())!
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.content()).to.not.include(secret)
    await dashboard.app.api('POST', `/webhooks/${id}/test`)
    await dashboard.app.settled()
    expect(endpoint.deliveries[0]!.headers['webhook-signature']).to.match(/^v1,\S+ v1,\S+$/)
    await page.context().close()
  })

  it('are refused with the reason, beside the form', async () => {
    const page = await dashboard.openPage()
    await page.goto(`${dashboard.url}/webhooks`)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await dialog.getByText('Give the URL of your endpoint').waitFor()
    await dialog.getByRole('textbox', { name: 'URL' }).fill('ftp://example.com')
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await dialog.getByRole('alert').waitFor()
    await page.context().close()
  })

  it('that are paused by the plan say so, and can be disabled and deleted', async () => {
    const { api, email } = await signIn(dashboard.app, { plan: 'business' })
    await api('POST', '/webhooks', { body: { url: 'https://hooks.example.com/paused', events: ['email.received'] } })
    await changePlan(dashboard.app, email, 'free')
    const page = await dashboard.openPage({ account: email })
    await page.goto(`${dashboard.url}/webhooks`)
    await page.getByText(/^Paused: Webhooks are part of the Business plan/).waitFor()
    await page.getByRole('link', { name: 'https://hooks.example.com/paused' }).click()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText(/It was switched off/).waitFor()
    expect(await page.getByRole('button', { name: /Enable|Rotate|Edit|test/ }).count()).to.equal(0)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Webhooks need the Business plan').waitFor()
    expect((await api('GET', '/webhooks')).body.data).to.deep.equal([])
    await page.context().close()
  })

  it('are explained to an account of the Pro plan', async () => {
    const { email } = await signIn(dashboard.app, { plan: 'pro' })
    const page = await dashboard.openPage({ account: email })
    await page.goto(`${dashboard.url}/webhooks`)
    await page.getByText('Webhooks need the Business plan').waitFor()
    expect(await page.getByRole('button', { name: 'Create webhook' }).count()).to.equal(0)
    await page.context().close()
  })
})
