/**
 * Issues an address, waits for a mail with a one-time code, and prints the code.
 *
 *     MAYFLY_API_KEY=svc_live_… npm run node -- examples/wait-for-code.ts          # then send a mail yourself
 *     MAYFLY_API_KEY=svc_live_… npm run node -- examples/wait-for-code.ts --demo   # sends one over SMTP
 *
 * MAYFLY_BASE_URL says where the API is, MAYFLY_SMTP_HOST and MAYFLY_SMTP_PORT where the demo mail is sent to.
 */
import { Mayfly } from '@mayfly-mail/sdk'
import './as-program.ts'

const mayfly = new Mayfly() // with MAYFLY_API_KEY and MAYFLY_BASE_URL

const { id, address } = await mayfly.addresses.create({ expiresIn: 3600 })
try {
  console.log(`Send a mail with a code to ${address}`)
  if (process.argv.includes('--demo')) await sendDemoMail(address)

  const email = await mayfly.emails.waitFor({ addressId: id, timeoutMs: 300_000 })
  // as an object: console.log escapes control characters in its strings
  console.log('The code is', email.codes[0] ?? 'missing', { subject: email.subject, from: email.from })
} finally {
  await mayfly.addresses.delete(id)
}

async function sendDemoMail(to: string) {
  const { createTransport } = await import('nodemailer')
  const { MAYFLY_SMTP_HOST: host = '127.0.0.1', MAYFLY_SMTP_PORT: port = '2525' } = process.env
  const transport = createTransport({ host, port: Number(port), tls: { rejectUnauthorized: false } })
  await transport.sendMail({ from: 'Demo Shop <demo@shop.example>', to, subject: 'Your sign-up', text: 'Your code is 482913.' })
    .catch(({ message }: Error) => { throw new Error(`No mail to ${host}:${port}: ${message}. Set MAYFLY_SMTP_HOST and MAYFLY_SMTP_PORT.`) })
  transport.close()
}
