import { expect, test } from '@mayfly-mail/sdk/vitest'

const shop = process.env['SHOP_URL'] ?? 'http://127.0.0.1:4020'

test('a new customer gets a code', async ({ inbox }) => {
  const answer = await fetch(shop, { method: 'POST', body: new URLSearchParams({ email: inbox.address }) })
  const code = await inbox.waitForCode({ from: 'shop.example' })
  const page = await fetch(answer.url, { method: 'POST', body: new URLSearchParams({ code }) })
  expect(await page.text()).toContain(`Welcome, ${inbox.address}`)
})
