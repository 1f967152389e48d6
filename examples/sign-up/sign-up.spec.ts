import { expect, test } from '@mayfly-mail/sdk/playwright'

test.beforeEach(async ({ page, inbox }) => {
  await page.goto('/')
  await page.getByLabel('Email').fill(inbox.address)
  await page.getByRole('button', { name: 'Sign up' }).click()
})

test('the code of the mail opens the shop', async ({ page, inbox }) => {
  const { codes } = await inbox.waitFor({ from: 'shop.example' })
  await page.getByLabel('Code').fill(codes[0]!)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading')).toHaveText(`Welcome, ${inbox.address}`)
})

test('another code replaces the first', async ({ page, inbox }) => {
  const first = await inbox.waitFor()
  await page.getByRole('button', { name: 'Send another' }).click()
  const second = await inbox.waitFor()

  await page.getByLabel('Code').fill(first.codes[0]!)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('alert')).toHaveText('This is not the code.')

  await page.getByLabel('Code').fill(second.codes[0]!)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading')).toHaveText(`Welcome, ${inbox.address}`)
})
