/**
 * Issues an address and forwards its mail, limited by filters, to an inbox whose owner agrees by a link.
 * Run it: MAYFLY_API_KEY=svc_… npm run node -- examples/forwarding.ts ada@example.com --sender shop.example
 * A server that captures mail, as it does by default, shows that link with `mayfly outbox list` and `outbox show ID`.
 */
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Mayfly } from '@mayfly-mail/sdk'
import './as-program.ts'

const { positionals: [email], values: { sender, subject } } = parseArgs({
  allowPositionals: true, options: { sender: { type: 'string' }, subject: { type: 'string' } },
})
if (!email) throw new Error('Where to? Give an email address.')
const mayfly = new Mayfly() // with MAYFLY_API_KEY and MAYFLY_BASE_URL

const inbox = await find(email) ?? await mayfly.forwardingAddresses.create({ email })
if (!inbox.isVerified) {
  console.log(`Waiting for ${email} to agree: the mail that went there has the link to a button.`)
  await agreement(inbox.id)
}

const { id, address } = await mayfly.addresses.create()
const rule = await mayfly.forwardingRules.update(id, {
  forwardToId: inbox.id, filterSender: sender, filterSubject: subject,
})
console.log(`Mail to ${address} ${rule.isActive ? `is forwarded to ${rule.forwardToEmail}` : 'stays there'}.`)
console.log(`  from     ${rule.filterSender ?? 'any'}`)
console.log(`  subject  ${rule.filterSubject ?? 'any'}`)

async function find(wanted: string) {
  const { addresses } = await mayfly.forwardingAddresses.list({ limit: 100 })
  return addresses.find((known) => known.email.toLowerCase() === wanted.toLowerCase())
}

/** Resolves once the button is pressed. The pauses between its requests grow, as that may take hours. */
async function agreement(id: string) {
  const deadline = Date.now() + 15 * 60_000
  for (let pause = 200; Date.now() < deadline; pause = Math.min(pause * 1.5, 5000)) {
    if ((await mayfly.forwardingAddresses.get(id)).isVerified) return
    await setTimeout(pause)
  }
  throw new Error('The address was not verified within 15 minutes. Run this again to continue the wait.')
}
