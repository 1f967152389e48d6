const { Mayfly } = require('@mayfly-mail/sdk')

const shop = process.env.SHOP_URL ?? 'http://127.0.0.1:4020'
const mayfly = new Mayfly({ waitTimeoutMs: 3_500 }) // jest ends a test after 5 seconds
let inbox

beforeEach(async () => { inbox = await mayfly.inboxes.create({ expiresIn: 600 }) })
afterEach(() => inbox.delete())

test('a new customer gets a code', async () => {
  const answer = await fetch(shop, { method: 'POST', body: new URLSearchParams({ email: inbox.address }) })
  const code = await inbox.waitForCode({ from: 'shop.example' })
  const page = await fetch(answer.url, { method: 'POST', body: new URLSearchParams({ code }) })
  expect(await page.text()).toContain(`Welcome, ${inbox.address}`)
})
