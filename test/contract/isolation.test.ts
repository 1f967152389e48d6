import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { sameOrigin, signIn } from '../support/sessions.ts'
import { createAccount, emailOfAccount } from '../support/store/accounts.ts'
import { allOperations, bearer, exampleRequest, operations, pathIdsOf, unknownId } from './requests.ts'

/** The ids of one owner's resources, by the kind of resource. */
interface Belongings {
  key: string
  address: string
  email: string
  attachment: string
  domain: string
  'forwarding-address': string
  webhook: string
  delivery: string
  /** The headers of a session of the same account and mode. */
  session: Record<string, string>
  'session-id': string
  'api-key': string
  'share-link': string
  member: string
}

/** The kind of resource that an id in a path belongs to. For `{id}` the segment before it tells the kind. */
const kindOf = (path: string, name: string) =>
  path.endsWith('/sessions/{id}') ? 'session-id' : name === 'id' ? /([a-z-]+?)(?:es|s)\/\{id\}/.exec(path)![1]! : name.replace(/Id$/, '')

describe('Tenant isolation: every operation', () => {
  let app: TestApp
  let me: Belongings
  /** Another account, and the other mode of the same account. */
  let others: Record<string, Belongings>

  before(async () => {
    app = await openTestApp()
    const [mine, theirs] = await Promise.all(['me', 'them'].map((name) => createAccount(app, `${name}@example.org`)))
    me = await furnish(mine!.id, false)
    others = { 'another account': await furnish(theirs!.id, false), 'the test mode': await furnish(mine!.id, true) }
  })
  after(() => app[Symbol.asyncDispose]())

  async function furnish(account: string, isTest: boolean): Promise<Belongings> {
    const key = await app.newKey({ account, isTest })
    const { id, address } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
    await app.send({ to: address, subject: 'private', text: 'private', attachments: [{ filename: 'a.txt', content: 'private' }] })
    await app.settled()
    const email = (await app.api('GET', '/emails', { key })).body.data[0].id
    const attachment = (await app.api('GET', `/emails/${email}`, { key })).body.data.attachments[0].id
    const domain = (await app.api('POST', '/domains', { key, body: { domain: 'shared.example' } })).body.data.id
    const forwardingAddress = (await app.api('POST', '/forwarding-addresses', { key, body: { email: 'shared@example.com' } })).body.data.id
    const webhook = (await app.api('POST', '/webhooks', {
      key, body: { url: 'https://hooks.example.com/', events: ['address.expired'] },
    })).body.data.id
    const delivery = (await app.api('POST', `/webhooks/${webhook}/test`, { key })).body.data.id
    const { cookie, session } = await signIn(app, { email: await emailOfAccount(app, account) })
    const headers = { cookie, ...sameOrigin, 'x-mayfly-mode': isTest ? 'test' : 'live' }
    const shareLink = (await app.api('POST', `/addresses/${id}/share-links`, { key: null, headers, body: { hours: 1 } })).body.data.id
    const [{ id: apiKey }] = (await app.api('GET', '/api-keys', { key: null, headers })).body.data
    const invitation = { email: `${app.app.db.newId()}@example.org`, role: 'viewer' }
    const member = (await app.api('POST', '/members', { key: null, headers, body: invitation })).body.data.id
    return {
      member, 'share-link': shareLink,
      session: headers, 'session-id': session.id, 'api-key': apiKey,
      key, address: id, email, attachment, domain, 'forwarding-address': forwardingAddress, webhook, delivery,
    }
  }

  const ask = async (headers: Record<string, string>, operation: (typeof operations)[number], idOf: (name: string) => string) => {
    const { status, text } = await rawRequest(app.url, exampleRequest(operation, headers, idOf))
    return { status, text }
  }
  const idsOf = (owner: Belongings, path: string) => (name: string) => owner[kindOf(path, name) as Exclude<keyof Belongings, 'session'>]

  const headersOf: Record<string, (owner: Belongings) => Record<string, string>> = {
    'a key': ({ key }) => bearer(key),
    'a session': ({ session }) => session,
  }
  const withIds = allOperations.filter((operation) => pathIdsOf(operation).length > 0 && !operation.isShared && !operation.path.includes('/admin/'))
  for (const [operation, caller] of withIds.flatMap((operation) => Object.keys(headersOf).map((caller) => [operation, caller] as const))) {
    if (operation.audience === 'dashboard' && caller === 'a key') continue
    it(`${operation.operationId} answers ids of other accounts like unknown ids, with ${caller}`, async () => {
      const by = headersOf[caller]!
      const unknown = await ask(by(me), operation, () => unknownId)
      expect(unknown.status).to.equal(404)
      for (const [name, other] of Object.entries(others)) {
        if (operation.audience === 'dashboard' && name === 'the test mode') continue // both modes of an account share them
        const foreign = idsOf(other, operation.path)
        expect(pathIdsOf(operation).map(foreign)).to.not.include(undefined)
        expect(await ask(by(me), operation, foreign), name).to.deep.equal(unknown)
        expect(await ask(by(other), operation, idsOf(me, operation.path)), `${name}, the other way`).to.deep.equal(unknown)
        for (const theirs of pathIdsOf(operation)) {
          const mixed = (id: string) => id === theirs ? foreign(id) : idsOf(me, operation.path)(id)
          expect(await ask(by(me), operation, mixed), `${name}, only ${theirs}`).to.deep.equal(unknown)
        }
      }
    })
  }

  // the audit log has the paths of the account's own requests, with the ids of others from the requests above; it has its own test
  const lists = operations.filter(({ method, path, operationId }) => method === 'get' && !path.includes('{') && operationId !== 'auditLogs.list')
  for (const [operation, caller] of lists.flatMap((operation) => Object.keys(headersOf).map((caller) => [operation, caller] as const))) {
    it(`${operation.operationId} shows nothing of other accounts, with ${caller}`, async () => {
      for (const owner of [me, ...Object.values(others)]) {
        const { status, text } = await ask(headersOf[caller]!(owner), operation, () => unknownId)
        expect(status).to.equal(200)
        for (const other of [me, ...Object.values(others)].filter((other) => other !== owner)) {
          const { address, email, attachment, domain } = other
          for (const id of [address, email, attachment, domain, other['forwarding-address']]) expect(text).to.not.include(id)
        }
      }
    })
  }

  it('lists have the resources of the account alone', async () => {
    for (const { key, address, email, domain } of [me, ...Object.values(others)]) {
      const addresses = (await app.api('GET', '/addresses', { key })).body.data
      expect([addresses.total, addresses.addresses.map(({ id }: { id: string }) => id)]).to.deep.equal([1, [address]])
      const emails = (await app.api('GET', '/emails', { key })).body
      expect([emails.total, emails.data.map(({ id }: { id: string }) => id)]).to.deep.equal([1, [email]])
      const domains = (await app.api('GET', '/domains', { key })).body.data
      expect(domains.map(({ id }: { id: string }) => id)).to.deep.equal([domain])
    }
  })

  for (const spelling of ['address_id', 'addressId']) {
    it(`${spelling} of another account lists nothing, like an unknown id`, async () => {
      for (const more of ['', '&is_deleted=true', '&type=received', '&type=sent', `&after=${me.email.replace(/^..../, '0000')}`]) {
        for (const addressId of [unknownId, ...Object.values(others).map(({ address }) => address)]) {
          const { status, body } = await app.api('GET', `/emails?${spelling}=${addressId}${more}`, { key: me.key })
          expect(status).to.equal(200)
          expect(body).to.include({ total: 0, hasMore: false }).and.have.deep.property('data', [])
        }
      }
    })
  }

  for (const [operationId, member, body] of [
    ['addresses.create', 'forwardToId', {}],
    ['emails.send', 'fromAddressId', { to: 'a@example.org', subject: 's', body: 'b' }],
    ['emails.send', 'inReplyToId', { body: 'b' }],
    ['forwardingRules.update', 'forwardToId', {}],
  ] as const) {
    it(`${operationId} answers ${member} of another account as an unknown one`, async () => {
      const operation = operations.find((operation) => operation.operationId === operationId)!
      const path = operation.path.slice('/api/v1'.length).replace('{addressId}', me.address)
      const kind = ({ fromAddressId: 'address', inReplyToId: 'email', forwardToId: 'forwarding-address' } as const)[member]
      const send = async (id: string) => {
        const call = { key: me.key, body: { ...body, [member]: id } }
        const { status, body: answer } = await app.api(operation.method.toUpperCase(), path, call)
        return { status, answer }
      }
      const unknown = await send(unknownId)
      expect(unknown.status).to.equal(404)
      for (const other of Object.values(others)) expect(await send(other[kind])).to.deep.equal(unknown)
    })
  }

  it('test.createEmail accepts only test addresses of its account, and other keys do not see its mail', async () => {
    const addressOf = async ({ key, address }: Belongings) => (await app.api('GET', `/addresses/${address}`, { key })).body.data.address as string
    const { id } = await createAccount(app, 'injector@example.org')
    const [live, test] = [await app.newKey({ account: id }), await app.newKey({ account: id, isTest: true })]
    const inject = async (key: string, to: string) => {
      const { status, body } = await app.api('POST', '/test/emails', { key, body: { to, text: 'private' } })
      return { status, body }
    }
    const own = (await app.api('POST', '/addresses', { key: live, body: {} })).body.data.address
    for (const key of [live, test]) {
      const unknown = await inject(key, 'nobody@mail.localhost')
      expect(unknown.status).to.equal(404)
      const foreign = await Promise.all([me, ...Object.values(others)].map(addressOf))
      for (const to of [own, ...foreign]) expect(await inject(key, to)).to.deep.equal(unknown)
    }
    const mine = (await app.api('POST', '/addresses', { key: test, body: {} })).body.data
    const email = (await inject(test, mine.address)).body.data.id
    for (const key of [live, me.key, others['the test mode']!.key]) {
      expect((await app.api('GET', `/emails/${email}`, { key })).status).to.equal(404)
      expect((await app.api('GET', `/emails?address_id=${mine.id}`, { key })).body.total).to.equal(0)
    }
    expect((await app.api('GET', `/emails/${email}`, { key: test })).body.data.bodyText.trim()).to.equal('private')
  })

  it('the resources of the other account are unchanged after all attempts', async () => {
    for (const { key, address, email, attachment } of [me, ...Object.values(others)]) {
      expect((await app.api('GET', `/addresses/${address}`, { key })).body.data).to.include({ isActive: true, emailCount: 1 })
      expect((await app.api('GET', `/emails/${email}`, { key })).body.data).to.include({ isRead: false, isStarred: false })
      expect((await app.api('GET', `/emails/${email}/attachments/${attachment}`, { key })).body.toString()).to.equal('private')
    }
  })

  it('an alias that is taken in one mode is taken in the other', async () => {
    const { id } = await createAccount(app, 'modes@example.org')
    const [live, test] = [await app.newKey({ account: id }), await app.newKey({ account: id, isTest: true })]
    const create = async (key: string) => (await app.api('POST', '/addresses', { key, body: { alias: 'both' } })).status
    expect([await create(test), await create(live)]).to.deep.equal([201, 409])
  })
})
