import { AuthenticationError, Mayfly, PermissionError } from '@mayfly-mail/sdk'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { recordAnswers } from '../support/recorded-answers.ts'
import { signIn } from '../support/sessions.ts'
import { changePlan } from '../support/store/accounts.ts'

describe('Dashboard: API keys', function () {
  let dashboard: Dashboard

  before(async () => { dashboard = await openDashboard() })
  after(() => dashboard?.[Symbol.asyncDispose]())

  async function openKeys(account?: string): Promise<Page> {
    const page = await dashboard.openPage(account ? { account } : {})
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    return page
  }

  /** @returns the value that the dialog shows */
  async function createKey(
    page: Page, { name, scopes, isTest = false, dialect = 'Primary' }: { name: string, scopes: string[], isTest?: boolean, dialect?: string },
  ): Promise<string> {
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    for (const scope of scopes) await dialog.getByRole('checkbox', { name: scope, exact: true }).check()
    if (isTest) await dialog.getByRole('radio', { name: 'Test data' }).check()
    await dialog.getByRole('radio', { name: dialect }).check()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    return (await dialog.getByText(/^svc_(live|test)_\w+$/).textContent())!
  }

  const rowOf = (page: Page, name: string) => page.getByRole('list', { name: 'API keys of the account' }).getByRole('listitem').filter({ hasText: name })

  it('shows the value of a new key once, and no answer has it later', async () => {
    const page = await openKeys()
    const answers = await recordAnswers(page)
    const value = await createKey(page, { name: 'CI', scopes: ['emails:read', 'emails:write'] })
    expect(await page.content()).to.include(`Authorization: Bearer ${value}`)
    await page.getByRole('button', { name: 'Copy the key', exact: true }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal(value)
    expect(await findViolations(page)).to.deep.equal([])

    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.content()).to.not.include(value)
    expect(await page.getByRole('button', { name: 'Create key' }).evaluate((button) => button === document.activeElement)).to.equal(true)
    await page.reload()
    await rowOf(page, 'CI').getByText(value.slice(0, 13)).waitFor()
    expect(await page.content()).to.not.include(value)
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).to.not.include(value)
    expect(answers.filter((text) => text.includes(value))).to.have.length(1)
    await page.context().close()
  })

  it('makes a key that may call what its scopes name, until it is revoked', async () => {
    const page = await openKeys()
    const apiKey = await createKey(page, { name: 'Scoped', scopes: ['emails:read', 'domains:read'] })
    await page.getByRole('button', { name: 'Done' }).click()
    const mayfly = new Mayfly({ apiKey, baseUrl: dashboard.url })
    expect(await mayfly.domains.list()).to.deep.equal([])
    expect((await mayfly.addresses.list()).total).to.be.lessThan(2) // the page Mail makes the first one
    expect(await mayfly.addresses.create().catch((error: unknown) => error)).to.be.instanceOf(PermissionError)
    expect(await rowOf(page, 'Scoped').getByRole('list', { name: 'Scopes' }).getByRole('listitem').allTextContents())
      .to.deep.equal(['emails:read', 'domains:read'])

    await rowOf(page, 'Scoped').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Scoped is revoked').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await rowOf(page, 'Scoped').count()).to.equal(0)
    expect(await mayfly.domains.list().catch((error: unknown) => error)).to.be.instanceOf(AuthenticationError)
    expect(await page.getByRole('heading', { level: 1 }).evaluate((heading) => heading === document.activeElement)).to.equal(true)
    await page.context().close()
  })

  it('makes a key for test data', async () => {
    const page = await openKeys()
    const apiKey = await createKey(page, { name: 'Laptop', scopes: ['emails:write'], isTest: true, dialect: 'Classic' })
    expect(apiKey).to.match(/^svc_test_/)
    await page.getByRole('button', { name: 'Done' }).click()
    await rowOf(page, 'Laptop').getByText('Test', { exact: true }).waitFor()
    await rowOf(page, 'Laptop').getByText('Classic dialect').waitFor()
    await page.context().close()
  })

  it('says which entries of the form are missing', async () => {
    const page = await openKeys()
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('Give the key a name.').waitFor()
    await dialog.getByText('Choose at least one scope.').waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await page.context().close()
  })

  it('tells an account of the Free plan why it cannot create keys, and shows no form', async () => {
    const { email } = await signIn(dashboard.app, { plan: 'free' })
    const page = await openKeys(email)
    await page.getByText('API keys need the Business plan').waitFor()
    await page.getByText('This account has the Free plan').waitFor()
    expect(await page.getByRole('button', { name: 'Create key' }).count()).to.equal(0)
    expect(await findViolations(page)).to.deep.equal([])
    await page.context().close()
  })

  it('shows the refusal of the server when the plan has changed meanwhile', async () => {
    const { email } = await signIn(dashboard.app, { plan: 'business' })
    const page = await openKeys(email)
    await page.getByRole('button', { name: 'Create key' }).waitFor()
    await changePlan(dashboard.app, email, 'pro')
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Late')
    await dialog.getByRole('checkbox', { name: 'emails:read' }).check()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    expect(await dialog.getByRole('alert').textContent()).to.match(/Business plan/)
    await page.context().close()
  })
})
