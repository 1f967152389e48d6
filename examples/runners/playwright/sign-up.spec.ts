import { expect, test } from '@mayfly-mail/sdk/playwright'

const shop = process.env['SHOP_URL'] ?? 'http://127.0.0.1:4020'

// without a browser; examples/sign-up does the same in a page
test('a new customer gets a code', async ({ inbox, request }) => {
  const answer = await request.post(shop, { form: { email: inbox.address } })
  const code = await inbox.waitForCode({ from: 'shop.example' })
  const page = await request.post(answer.url(), { form: { code } })
  expect(await page.text()).toContain(`Welcome, ${inbox.address}`)
})
