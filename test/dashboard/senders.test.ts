import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'

describe('Dashboard: senders of an address', function () {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
    page = await dashboard.openPage()
    page.setDefaultTimeout(8_000)
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const list = (name: 'Only mail of these senders' | 'No mail of these senders') => page.getByRole('textbox', { name })
  const open = async () => {
    await button('More').click()
    await page.getByRole('menuitem', { name: 'Allowed and blocked senders' }).click()
  }

  it('are set in a dialog, which names a malformed one', async () => {
    const { app } = dashboard
    const { id, address } = await app.newAddress()
    const lists = async () => {
      const { allowedSenders, blockedSenders } = (await app.api('GET', `/addresses/${id}`)).body.data
      return [allowedSenders, blockedSenders]
    }
    await page.goto(`${dashboard.url}/mail/${id}`)
    await open()
    await list('Only mail of these senders').fill('@Shop.example\n*@shop.example')
    expect(await findViolations(page)).to.deep.equal([])
    await button('Save').click()
    await page.getByText('*@shop.example: must be an address (a@shop.example)').waitFor()
    await list('Only mail of these senders').fill('@Shop.example\n@*.shop.example\n')
    await list('No mail of these senders').fill('news@shop.example')
    await button('Save').click()
    await page.getByText(`The senders of ${address} are saved.`).waitFor()
    expect(await lists()).to.deep.equal([['@shop.example', '@*.shop.example'], ['news@shop.example']])
    await page.getByText('· some senders are refused').waitFor()
    await open()
    expect(await list('Only mail of these senders').inputValue()).to.equal('@shop.example\n@*.shop.example')
    expect(await button('Save').isDisabled()).to.equal(true)
    await app.api('PATCH', `/addresses/${id}`, { body: { blockedSenders: ['@other.example'] } })
    await list('Only mail of these senders').fill('')
    await button('Save').click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await lists()).to.deep.equal([[], ['@other.example']])
  })
})
