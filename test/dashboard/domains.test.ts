import { expect } from 'chai'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer } from '../support/dns-server.ts'

const mxHost = 'mx.mayfly.example'

describe('Dashboard: domains', function () {
  let dashboard: Dashboard
  let dns: DnsServer
  before(async () => {
    dns = await openDnsServer()
    dashboard = await openDashboard({ env: { MAYFLY_DNS_SERVERS: dns.servers, MAYFLY_MX_HOST: mxHost, MAYFLY_DEFAULT_DOMAIN: 'in.mayfly.example' } })
  })
  after(async () => {
    await dashboard[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
  })

  it('adds a domain, shows its records, checks them by itself until both are found, and deletes it', async () => {
    const page = await dashboard.openPage()
    await page.clock.install()
    await page.goto(`${dashboard.url}/domains`)
    await page.getByRole('button', { name: 'Add domain' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add domain' })
    await dialog.getByRole('textbox', { name: 'Domain' }).fill('qa.example.com')
    await dialog.getByRole('button', { name: 'Add domain' }).click()

    const records = page.getByRole('table', { name: 'DNS records of qa.example.com' })
    await page.getByText('The TXT record of qa.example.com was not found. The MX record of qa.example.com was not found.').waitFor()
    expect(await records.getByRole('row').allInnerTexts()).to.have.length(3)
    expect(await records.getByText('Not found').count()).to.equal(2)
    await records.getByRole('button', { name: 'Copy value of the TXT record' }).click()
    const txt = await page.evaluate(() => navigator.clipboard.readText())
    expect(txt).to.match(/^mayfly-verify=\w{32}$/)
    expect(await records.getByRole('row', { name: /^MX/ }).innerText()).to.include(mxHost).and.to.include('10')

    dns.zone['qa.example.com'] = { TXT: [txt], MX: [{ exchange: 'other.example', priority: 1 }] }
    await page.clock.fastForward('00:11')
    await page.getByText(`The MX record of qa.example.com is other.example, not ${mxHost}.`, { exact: true }).waitFor()
    expect(await records.getByRole('row', { name: /^TXT/ }).innerText()).to.include('Found')
    expect(await records.getByRole('row', { name: /^MX/ }).innerText()).to.include('Different')

    dns.zone['qa.example.com'] = { TXT: [txt], MX: [{ exchange: mxHost, priority: 10 }] }
    await page.clock.fastForward('00:11')
    await page.getByText('qa.example.com is verified. New addresses can use it.').waitFor()
    await page.getByText('Verified', { exact: true }).filter({ visible: true }).waitFor()
    const listed = await dashboard.app.api('GET', '/domains')
    expect(listed.body.data).to.deep.include({ ...listed.body.data[0], domain: 'qa.example.com', status: 'verified' })

    await page.getByRole('button', { name: 'Delete qa.example.com' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete domain' }).click()
    await page.getByRole('heading', { name: 'No domain yet' }).waitFor()
    expect((await dashboard.app.api('GET', '/domains')).body.data).to.deep.equal([])
  })

  it('shows the reason for which a domain is refused in the form', async () => {
    const page = await dashboard.openPage()
    await page.goto(`${dashboard.url}/domains`)
    await page.getByRole('button', { name: 'Add domain' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add domain' })
    await dialog.getByRole('textbox', { name: 'Domain' }).fill('co.uk')
    await page.keyboard.press('Enter')
    expect(await dialog.getByRole('alert').innerText()).to.include('co.uk').and.not.to.include('body.')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('button:focus', { hasText: 'Add domain' }).waitFor()
  })
})
