import { ApiError, Mayfly, TimeoutError, webhooks } from '@mayfly-mail/sdk'
import type { Address, Email } from '@mayfly-mail/sdk'

/**
 * A project that uses the package: compiled as a module and as CommonJS, run by the oldest supported Node. It prints the address at
 * which it waits, and then the result as JSON.
 */
async function use(): Promise<unknown> {
  const mayfly = new Mayfly({ apiKey: process.env.MAYFLY_API_KEY!, baseUrl: process.env.MAYFLY_BASE_URL! })
  const { id, address } = await mayfly.addresses.create({ expiresIn: 600 })
  console.log(address)
  const email: Email = await mayfly.emails.waitFor({ addressId: id, subject: /code/i })
  const source = await (await mayfly.emails.raw(email.id)).text()
  const listed: Address[] = (await mayfly.addresses.list()).addresses.filter((each) => each.id === id)
  const missing = await mayfly.emails.get('01890000-0000-7000-8000-000000000000').catch((error: unknown) => error)
  const late = await mayfly.emails.waitFor({ addressId: id, timeoutMs: 1 }).catch((error: unknown) => error)
  const secret = `whsec_${'c2VjcmV0'.repeat(4)}`
  const data = { addressId: id, address, expiresAt: email.receivedAt }
  const { body, headers } = await webhooks.sign({ type: 'address.created', data }, secret)
  const event = await webhooks.verify(body, headers, secret)
  const classic = await mayfly.request<{ success: boolean, data: { email: string } }>('GET', `/addresses/${id}`, { dialect: 'classic' })
  await mayfly.addresses.delete(id)
  return {
    codes: email.codes,
    receivedAt: email.receivedAt instanceof Date,
    source: source.includes('Subject: Your code'),
    listed: listed.length,
    missing: missing instanceof ApiError && missing.code,
    late: late instanceof TimeoutError,
    event: event.type,
    classic: classic.success && classic.data.email === address,
  }
}

use().then((outcome) => console.log(JSON.stringify(outcome)), (error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
