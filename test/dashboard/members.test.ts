import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { invite } from '../support/members.ts'
import { startProvider } from '../support/open-id-provider.ts'
import type { TestProvider } from '../support/open-id-provider.ts'
import { signIn } from '../support/sessions.ts'
import { createAccount } from '../support/store/accounts.ts'

describe('Dashboard: members', function () {
  let dashboard: Dashboard
  let provider: TestProvider

  before(async () => {
    provider = await startProvider()
    dashboard = await openDashboard({ env: provider.env, messages: ['Failed to load resource: the server responded with a status of 403'] })
    provider.open(`${dashboard.url}/sign-in/callback`)
  })
  after(async () => {
    await dashboard?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  const rowOf = (page: Page, email: string) => page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: email })

  async function openMembers(account: string): Promise<Page> {
    const page = await dashboard.openPage({ account })
    await page.getByRole('link', { name: 'Members' }).click()
    await rowOf(page, account).waitFor()
    return page
  }

  /** A page of a person without an account, opened by the link of an invitation. */
  async function openInvitation(link: string): Promise<Page> {
    const page = await (await dashboard.browser.newContext()).newPage()
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((at) => at.pathname !== '/sign-in')
    return page
  }

  it('are invited by a link, get another role, and are removed, which signs them out', async () => {
    const owner = await signIn(dashboard.app)
    const page = await openMembers(owner.email)
    expect(await findViolations(page)).to.deep.equal([])
    expect(await rowOf(page, owner.email).getByRole('button').count()).to.equal(0)
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Email address' }).fill('lin@example.org')
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('viewer')
    expect(await findViolations(page)).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByRole('button', { name: 'Copy the link' }).click()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).to.match(new RegExp(`^${dashboard.url}/sign-in#[\\w-]{43}$`))
    await dialog.getByRole('button', { name: 'Done' }).click()
    await rowOf(page, 'lin@example.org').getByText('Invited, until').waitFor()

    const member = await openInvitation(link)
    await member.getByText('Mail to the addresses of this account is shown here.').waitFor()
    await page.reload()
    await rowOf(page, 'lin@example.org').getByText('Member since').waitFor()
    await rowOf(page, 'lin@example.org').getByRole('combobox').selectOption('member')
    await page.getByText('The role of lin@example.org is now Member.').waitFor()
    await member.reload()
    await member.getByRole('button', { name: 'New address' }).first().waitFor()

    await rowOf(page, 'lin@example.org').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('lin@example.org is removed.').waitFor()
    await Promise.race([member.waitForURL('**/sign-in**'), member.getByRole('link', { name: 'Domains' }).click()])
    await member.waitForURL('**/sign-in**')
    await member.context().close()
    await page.context().close()
  })

  it('switch the account in all tabs of the browser', async () => {
    const owner = await signIn(dashboard.app)
    const { email } = await createAccount(dashboard.app, 'both@example.org')
    await invite(owner, email, 'viewer')
    const page = await dashboard.openPage({ account: email })
    const other = await page.context().newPage()
    await other.goto(`${dashboard.url}/account`)
    await other.getByText('This browser').waitFor()
    await page.getByRole('button', { name: `Account ${email}: show another` }).click()
    expect(await findViolations(page)).to.deep.equal([])
    await page.getByRole('dialog').getByRole('button', { name: owner.email }).click()
    for (const tab of [page, other]) await tab.getByRole('button', { name: `Account ${owner.email}: show another` }).waitFor()
    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await page.getByText(`You are signed in as`).waitFor()
    expect(await page.getByRole('main').textContent()).to.include(`${email}, Viewer`)
    await page.context().close()
  })

  it('that are viewers read, and are shown nothing that changes something', async () => {
    const owner = await signIn(dashboard.app)
    const { id, address } = (await owner.api('POST', '/addresses', { body: {} })).body.data
    await owner.api('POST', '/domains', { body: { domain: 'viewed.example' } })
    await owner.api('POST', '/forwarding-addresses', { body: { email: 'viewed@elsewhere.example' } })
    const { id: webhookId } = (await owner.api('POST', '/webhooks', { body: { url: 'https://viewed.example/', events: ['email.received'] } })).body.data
    await owner.api('POST', '/api-keys', { body: { name: 'viewed', scopes: ['emails:read'] } })
    await dashboard.app.send({ to: address, subject: 'Seen by a viewer', text: 'Your code is 482913.' })
    await dashboard.app.settled()
    const { token } = await invite(owner, 'viewer@example.org', 'viewer')
    const page = await openInvitation(`${dashboard.url}/sign-in#${token}`)

    await page.goto(`${dashboard.url}/mail/${id}`)
    await page.getByRole('link', { name: /Seen by a viewer/ }).click()
    await page.getByText('Your code is 482913.').first().waitFor()
    const changes = /^(New address|Delete|Star|Mark|Remove|Add|Edit|Send|Create|Revoke|Test|Check|Resend|Invite|Rotate|Disable)/
    const offered = async () => page.getByRole('main').getByRole('button', { name: changes, disabled: false }).allTextContents()
    expect(await offered()).to.deep.equal([])
    expect((await owner.api('GET', '/emails')).body.data[0].isRead).to.equal(false)
    for (const [path, shown] of [
      ['/domains', 'viewed.example'], ['/forwarding', 'viewed@elsewhere.example'], ['/webhooks', 'https://viewed.example/'],
      [`/webhooks/${webhookId}`, 'https://viewed.example/'], ['/keys', 'viewed'],
    ] as const) {
      await page.goto(dashboard.url + path)
      await page.getByRole('main').getByText(shown).first().waitFor()
      expect(await offered(), path).to.deep.equal([])
      expect(await findViolations(page), path).to.deep.equal([])
    }
    for (const name of ['Send', 'Members', 'Administration']) expect(await page.getByRole('link', { name, exact: true }).count()).to.equal(0)
    await page.goto(`${dashboard.url}/members`)
    await page.getByText('This page is for owners').waitFor()

    await page.goto(`${dashboard.url}/mail/${id}`)
    await page.getByRole('link', { name: /Seen by a viewer/ }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('s') // a key has no button to hide
    await page.getByText('This needs the role member in the account, and yours is viewer.').first().waitFor()
    await page.context().close()
  })

  it('sign in with the provider by a button, to the page that was asked for', async () => {
    await createAccount(dashboard.app, 'oidc@example.org')
    const page = await (await dashboard.browser.newContext()).newPage()
    await page.goto(`${dashboard.url}/account`)
    const button = page.getByRole('link', { name: `Sign in with ${new URL(provider.issuer).host}` })
    await button.waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await button.click()
    await page.locator('input[name=login]').fill('oidc@example.org')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.locator('button[type=submit]').click() // consent
    await page.getByText('This browser').waitFor()
    expect(page.url()).to.equal(`${dashboard.url}/account`)
    expect(await page.getByRole('main').textContent()).to.include('oidc@example.org')
    await page.context().close()
  })
})
