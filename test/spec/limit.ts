import { expect } from 'chai'
import type { Plan } from '../../server/store/schema/values.ts'
import { createAccount } from '../support/store/accounts.ts'
import { createAddress } from '../support/store/addresses.ts'
import { expectRefused } from './world.ts'
import type { SpecWorld } from './world.ts'

export const many = (make: () => Promise<unknown>) => Promise.all(Array.from({ length: 101 }, make))

/** Of 101 things, a page shows the default, up to 100 on demand, and is refused beyond that. */
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

/** A text of the greatest length is taken, one more character is refused. */
export async function isTaken(most: number, member: string, ask: (text: string) => ReturnType<SpecWorld['post']>) {
  expect((await ask('x'.repeat(most))).status).to.be.oneOf([200, 201, 202])
  expectRefused(await ask('x'.repeat(most + 1)), member)
}

export async function send(world: SpecWorld, wish: Record<string, unknown>) {
  const { id } = await world.app.newAddress()
  return world.post('/emails', { fromAddressId: id, to: 'ada@example.com', subject: 'Hello', body: 'Hello', ...wish })
}

/** The API is closed to most plans, so their lifetimes show below it. */
export async function lives({ app }: SpecWorld, plan: Plan, seconds: number) {
  const account = await createAccount(app, `${plan}@example.org`, plan)
  const lifetime = async (expiresIn?: number) => {
    const { createdAt, expiresAt } = await createAddress(app, account, { expiresIn })
    return (Date.parse(expiresAt) - Date.parse(createdAt)) / 1000
  }
  expect([await lifetime(), await lifetime(seconds), await lifetime(60)]).to.deep.equal([seconds, seconds, 60])
  const message = `must be <= ${seconds}, the longest lifetime in seconds of the ${plan} plan`
  expect(await lifetime(seconds + 1).catch((error: unknown) => error))
    .to.deep.include({ code: 'INVALID_REQUEST', details: [{ path: 'body.expiresIn', message }] })
}
