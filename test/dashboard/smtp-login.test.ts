import { parseEnv } from 'node:util'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { createTransport } from 'nodemailer'
import type { SendMailOptions } from 'nodemailer'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { recordAnswers } from '../support/recorded-answers.ts'
import { mailRow } from './mail-page.ts'

const mail: SendMailOptions = { from: 'Shop <app@shop.example>', to: 'ada@customer.example', subject: 'Confirm', text: 'Your code is 482913.' }

/** Sends a mail with the login of a URL. @returns the code of the server's refusal, if there is one */
async function sendWith(url: string, options = mail): Promise<number | undefined> {
  const transport = createTransport(url)
  try {
    await transport.sendMail(options)
    return undefined
  } catch (error) {
    return (error as { responseCode: number }).responseCode
  } finally {
    transport.close()
  }
}

describe('Dashboard: SMTP login of an address', function () {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
    page = await dashboard.openPage()
    page.setDefaultTimeout(8_000)
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const copied = async (name: string) => {
    await button(name).click()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const choose = (framework: string) => page.getByRole('combobox', { name: 'Framework' }).selectOption(framework)

  it('is made on the page SMTP of the address, and its settings let an app send to anyone', async () => {
    const { id, address } = await dashboard.app.newAddress()
    await page.goto(`${dashboard.url}/mail/${id}`)
    await page.getByRole('link', { name: 'SMTP', exact: true }).click()
    expect(await page.title()).to.equal('SMTP · Mayfly')
    await button('Create SMTP login').click()
    await page.getByText('Copy the password now: it is not shown again.').waitFor()
    expect(await page.getByRole('heading', { name: 'SMTP login' }).evaluate((heading) => heading === document.activeElement)).to.equal(true)
    expect(await findViolations(page)).to.deep.equal([])

    expect(await copied('Copy the user name')).to.equal(address)
    const password = await copied('Copy the password')
    expect(await copied('Copy the URL')).to.equal(
      `smtp://${encodeURIComponent(address)}:${password}@${await copied('Copy the host')}:${await copied('Copy the port')}`)

    await choose('nodemailer')
    const script = (await copied('Copy the settings')).replace(/^import .*$/m, '').replace('export const transport = ', '')
    const transport = runInNewContext(script, { createTransport }) as ReturnType<typeof createTransport>
    await transport.sendMail(mail)
    transport.close()
    await mailRow(page, 'Confirm').waitFor()
    await choose('Variables (SMTP_*)')
    expect(await sendWith(parseEnv(await copied('Copy the settings'))['SMTP_URL']!)).to.equal(undefined)
  })

  it('shows its password once, and its settings with a placeholder later', async () => {
    const { id, address } = await dashboard.app.newAddress()
    await page.goto(`${dashboard.url}/mail/${id}/smtp`)
    const answers = await recordAnswers(page)
    await button('Create SMTP login').click()
    const password = await copied('Copy the password')
    await page.keyboard.press('Escape') // a key drops no password
    await button('Copy the password').waitFor()
    await page.getByRole('button', { name: 'Close the SMTP login' }).click()
    await page.getByRole('link', { name: 'SMTP', exact: true }).click()
    await page.getByText('Shown once, when the login was made').waitFor()
    await choose('Laravel')
    expect(parseEnv(await copied('Copy the settings'))).to.include({ MAIL_USERNAME: address, MAIL_PASSWORD: 'PASSWORD' })
    expect(await page.content()).to.not.include(password)
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]))).to.not.include(password)
    expect(answers.filter((text) => text.includes(password))).to.have.length(1)
    await button('Close the SMTP login').focus()
    await page.keyboard.press('Escape')
    await page.waitForURL(`${dashboard.url}/mail/${id}`)
  })

  it('is replaced, and ended, after a question', async () => {
    const { id } = await dashboard.app.newAddress()
    await page.goto(`${dashboard.url}/mail/${id}/smtp`)
    await button('Create SMTP login').click()
    const first = await copied('Copy the URL')
    await button('Replace SMTP login').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace SMTP login' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const second = await copied('Copy the URL')
    expect(second).to.not.equal(first)
    expect([await sendWith(first), await sendWith(second)]).to.deep.equal([535, undefined])

    await button('End SMTP login').click()
    await page.getByRole('dialog').getByRole('button', { name: 'End SMTP login' }).click()
    await button('Create SMTP login').waitFor()
    expect(await sendWith(second)).to.equal(535)
    expect((await dashboard.app.api('GET', `/addresses/${id}`)).body.data.hasSmtpLogin).to.equal(false)
    await mailRow(page, 'Confirm').waitFor()
  })

  it('is made with a new address', async () => {
    await page.goto(`${dashboard.url}/mail/all`)
    await button('Address with options').click()
    await page.getByRole('textbox', { name: 'Alias' }).fill('with-login')
    await page.getByRole('checkbox', { name: 'With an SMTP login' }).check()
    await button('Create address').click()
    const dialog = page.getByRole('dialog', { name: 'SMTP login' })
    await dialog.getByText('Copy the password now: it is not shown again.').waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    const url = await copied('Copy the URL')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.content()).to.not.include(url.split(/[:@]/).at(-3)!)
    expect(await sendWith(url)).to.equal(undefined)
    await mailRow(page, 'Confirm').waitFor()
    await page.getByRole('heading', { name: 'with-login@mail.localhost', level: 2 }).waitFor()
  })

  it('says when the answer with the password was lost, and when the address has expired', async () => {
    const { id } = await dashboard.app.newAddress()
    await page.goto(`${dashboard.url}/mail/${id}/smtp`)
    await page.route('**/smtp-login', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json() as { data: Record<string, unknown> }
      await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, password: undefined, url: undefined } } })
    })
    await button('Create SMTP login').click()
    await page.getByText('The answer with the password was lost.').waitFor()
    await page.unroute('**/smtp-login')
    await page.route('**/smtp-login', (route) => route.fulfill({ status: 409, json: { error: 'This is refused.', code: 'CONFLICT' } }))
    await button('Replace SMTP login').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace SMTP login' }).click()
    await page.getByRole('alert').filter({ hasText: 'This is refused.' }).waitFor()
    await page.unroute('**/smtp-login')

    await page.route(`**/addresses/${id}`, async (route) => {
      const answer = await route.fetch()
      const body = await answer.json() as { data: Record<string, unknown> }
      await route.fulfill({ response: answer, json: { data: { ...body.data, isActive: false, hasSmtpLogin: false } } })
    })
    await page.reload()
    await page.getByText('This address receives no mail any more, so it cannot have a login.').waitFor()
    await page.unroute(`**/addresses/${id}`)
  })

  it('is named in the mail that came by it, with all recipients and the return path', async () => {
    const { body: { data: { id, smtp } } } = await dashboard.app.api('POST', '/addresses', { body: { smtpLogin: true } })
    const others = Array.from({ length: 98 }, (_, index) => `reader-${index + 1}@list.example`)
    await sendWith(smtp.url, { ...mail, envelope: { from: 'Bounce+77@shop.example', to: ['ada@customer.example', 'audit@hidden.example', ...others] } })
    const email = await dashboard.app.onlyEmail(id)
    await page.route(`**/emails/${email.id}`, async (route) => {
      const answer = await route.fetch()
      const body = await answer.json() as { data: Record<string, unknown> }
      await route.fulfill({ response: answer, json: { data: { ...body.data, recipientsTotal: 112 } } })
    })
    await page.goto(`${dashboard.url}/mail/${id}/${email.id}`)
    const reader = page.getByRole('article')
    const recipients = reader.getByRole('list', { name: '112 recipients' }).getByRole('listitem')
    await recipients.first().waitFor()
    expect(await recipients.allTextContents()).to.deep.equal(email.recipients.slice(0, 5))
    await reader.getByRole('button', { name: 'Show all 100 recipients' }).click()
    expect(await recipients.allTextContents()).to.deep.equal(email.recipients)
    await reader.getByText('and 12 more').waitFor()
    const facts = Object.fromEntries(await reader.locator('header dl').evaluate((list) =>
      [...list.querySelectorAll('dt')].map((name) => [name.textContent, name.nextElementSibling!.textContent] as const)))
    expect(facts).to.include({ 'Return path': email.envelope!.from, 'Arrived by': 'SMTP login' })
    await reader.getByRole('tab', { name: 'Checks' }).click()
    await reader.getByText('SPF, DKIM and DMARC are not checked for mail of an SMTP login').waitFor()
    expect(await findViolations(page)).to.deep.equal([])

    const usual = await dashboard.app.newAddress()
    await dashboard.app.send({ to: usual.address, from: 'app@shop.example', subject: 'Usual', text: 'text' })
    await page.goto(`${dashboard.url}/mail/${usual.id}/${(await dashboard.app.onlyEmail(usual.id)).id}`)
    await reader.getByRole('heading', { name: 'Usual' }).waitFor()
    expect(await reader.locator('header dt').allTextContents()).to.deep.equal(['From', 'To', 'Received'])
  })
})
