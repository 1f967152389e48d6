import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Mayfly } from '@mayfly-mail/sdk'

const shop = process.env.SHOP_URL ?? 'http://127.0.0.1:4020'
const mayfly = new Mayfly({ waitTimeoutMs: 15_000 })

test('a new customer gets a code', { timeout: 20_000 }, async (t) => {
  const inbox = await mayfly.inboxes.create({ expiresIn: 600 })
  t.after(() => inbox.delete())
  const answer = await fetch(shop, { method: 'POST', body: new URLSearchParams({ email: inbox.address }) })
  const code = await inbox.waitForCode({ from: 'shop.example' })
  const page = await fetch(answer.url, { method: 'POST', body: new URLSearchParams({ code }) })
  assert.match(await page.text(), new RegExp(`Welcome, ${inbox.address}`))
})
