// Needs Docker, and the image: npm run build -- executable && docker build -f packaging/Dockerfile -t mayfly . in the checkout.
// Run it: npm install && npm test
import assert from 'node:assert'
import { after, before, test } from 'node:test'
import { Mayfly } from '@mayfly-mail/sdk'
import { createTransport } from 'nodemailer'
import { startMayfly } from './mayfly-container.mjs'

let server
let mayfly
before(async () => {
  server = await startMayfly()
  mayfly = new Mayfly({ baseUrl: server.MAYFLY_BASE_URL, apiKey: server.MAYFLY_API_KEY, waitTimeoutMs: 15_000 })
})
after(() => server?.stop())

test('a new customer gets a code', { timeout: 20_000 }, async () => {
  const inbox = await mayfly.inboxes.create()
  await signUp(inbox.address)
  assert.equal(await inbox.waitForCode({ from: 'shop.example' }), '482913')
})

// stands for the application under test, which gets the variables of `server`
async function signUp(to) {
  const mailer = createTransport({ host: server.SMTP_HOST, port: Number(server.SMTP_PORT), auth: { user: 'shop', pass: 'any' } })
  await mailer.sendMail({ from: 'hello@shop.example', to, subject: 'Welcome', text: 'Your code is 482913.' })
}
