import { expect } from 'chai'
import type { Scope } from '../../server/contract/types.gen.ts'
import type { ApiAnswer } from '../support/app.ts'
import { openDomainsWorld } from '../support/domains.ts'
import type { DomainsWorld } from '../support/domains.ts'
import { openEndpoint } from '../support/endpoint.ts'
import type { Endpoint } from '../support/endpoint.ts'
import { capturedLink, press } from '../support/forwarding.ts'
import { ownerOf } from '../support/store/accounts.ts'

/** A server with a DNS server and an endpoint for webhooks. It captures outgoing mail. */
export interface SpecWorld extends DomainsWorld {
  endpoint: Endpoint
  /** A word that is unique in this world. */
  next(): string
  /** Creates a key of the first account. */
  keyWith(scopes: Scope[]): Promise<string>
  post(path: string, body: Record<string, unknown>): Promise<ApiAnswer>
  newForwarding(): Promise<{ id: string, email: string }>
  newVerified(): Promise<{ id: string, email: string }>
  newWebhook(input?: Record<string, unknown>): Promise<{ id: string, secret: string }>
  /** Delivers a mail with an attachment to the address, and returns its id. */
  newMail(to: { id: string, address: string }): Promise<string>
}

export async function openSpecWorld(): Promise<SpecWorld> {
  const endpoint = await openEndpoint()
  const domains = await openDomainsWorld({ env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } })
  const { app } = domains
  const { accountId: account } = await ownerOf(app)
  let words = 0
  const world: SpecWorld = {
    ...domains,
    endpoint,
    next: () => `word-${++words}`,
    keyWith: (scopes) => app.newKey({ account, scopes }),
    post: (path, body) => app.api('POST', path, { body }),
    newForwarding: async () => (await world.post('/forwarding-addresses', { email: `${world.next()}@example.com` })).body.data,
    async newVerified() {
      const added = await world.newForwarding()
      await press(app, await capturedLink(app, added.email))
      return added
    },
    newWebhook: async (input = {}) => (await world.post('/webhooks', { url: `${endpoint.url}?${world.next()}`, events: ['address.created'], ...input })).body.data,
    async newMail({ id, address }) {
      await app.send({ to: address, subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', attachments: [{ filename: 'a.txt', content: 'a' }] })
      await app.settled()
      return (await app.listEmails({ address_id: id }))[0]!.id
    },
    async [Symbol.asyncDispose]() {
      await domains[Symbol.asyncDispose]()
      await endpoint[Symbol.asyncDispose]()
    },
  }
  return world
}

/** Expects a 400 that names a member. */
export function expectRefused({ status, body }: ApiAnswer, member: string) {
  expect([status, body.code], JSON.stringify(body)).to.deep.equal([400, 'INVALID_REQUEST'])
  expect(body.error).to.include(member)
  expect(body.details.map(({ path }: { path: string }) => path)).to.include(member)
}
