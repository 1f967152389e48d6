import { expect } from 'chai'
import type { Plan } from '../../server/store/schema/values.ts'
import { createAccount } from '../support/store/accounts.ts'
import { createAddress } from '../support/store/addresses.ts'
import { expectRefused } from './world.ts'
import type { SpecWorld } from './world.ts'

export const many = (make: () => Promise<unknown>) => Promise.all(Array.from({ length: 101 }, make))

/** Expects a list of 101 items to have the default page size, and to accept limits from 1 to 100 alone. */
export async function hasPages(world: SpecWorld, path: string, size: number, fill: () => Promise<unknown>) {
  await fill()
  for (const [query, limit] of [['', size], ['?limit=100', 100], ['?limit=1', 1]] as const) {
    const { status, body } = await world.app.api('GET', path + query)
    const page = Array.isArray(body.data) ? body : body.data
    expect([status, page.limit]).to.deep.equal([200, limit])
    expect(page.data ?? page.addresses).to.have.length(limit)
    expect(page.total).to.be.at.least(101)
  }
  for (const limit of [101, 0]) expectRefused(await world.app.api('GET', `${path}?limit=${limit}`), 'query.limit')
}

/** Expects a text of the maximum length to be accepted, and a longer one to be refused. */
export async function hasMaxLength(maxLength: number, member: string, ask: (text: string) => ReturnType<SpecWorld['post']>) {
  expect((await ask('x'.repeat(maxLength))).status).to.be.oneOf([200, 201, 202])
  expectRefused(await ask('x'.repeat(maxLength + 1)), member)
}

export async function send(world: SpecWorld, input: Record<string, unknown>) {
  const { id } = await world.app.newAddress()
  return world.post('/emails', { fromAddressId: id, to: 'ada@example.com', subject: 'Hello', body: 'Hello', ...input })
}

/** Creates the addresses without the API, which most plans may not use. */
export async function hasMaxLifetime({ app }: SpecWorld, plan: Plan, seconds: number) {
  const account = await createAccount(app, `${plan}@example.org`, plan)
  const lifetime = async (expiresIn?: number) => {
    const { createdAt, expiresAt } = await createAddress(app, account, { expiresIn })
    return (Date.parse(expiresAt) - Date.parse(createdAt)) / 1000
  }
  expect([await lifetime(), await lifetime(seconds), await lifetime(60)]).to.deep.equal([seconds, seconds, 60])
  const message = `must be at most ${seconds / 3600} hours (${seconds} seconds), the longest lifetime of the ${plan} plan`
  expect(await lifetime(seconds + 1).catch((error: unknown) => error))
    .to.deep.include({ code: 'INVALID_REQUEST', details: [{ path: 'body.expiresIn', message }] })
}
