import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bearer, operations, unknownId } from '../contract/requests.ts'
import { openTestApp } from '../support/app.ts'
import type { ApiAnswer, TestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { rawRequest } from '../support/raw-request.ts'
import { createAccount } from '../support/store/accounts.ts'
import { refuseChanges } from '../support/store/faults.ts'
import { verifyForwardingAddresses } from '../support/store/forwarding-addresses.ts'
import { addKeys, storeAsFirstVersion, storedKeys } from '../support/store/idempotency-keys.ts'
import { removeEmails } from '../support/store/mails.ts'
import { rowsOf } from '../support/store/rows.ts'

const usedOtherwise = { error: 'This Idempotency-Key was used for another request. Choose a new one for each change.', code: 'CONFLICT' }
const answerGone = {
  error: 'The first request with this Idempotency-Key was carried out, but its answer is gone. Look at what is there now; nothing was changed again.',
  code: 'CONFLICT',
}

describe('Idempotency-Key', function () {
  this.timeout(60_000)
  let app: TestApp
  beforeEach(async () => { app = await openTestApp({ env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } }) })
  afterEach(() => app[Symbol.asyncDispose]())

  const ask = (key: string, method: string, path: string, body?: unknown, more: { key?: string, headers?: Record<string, string> } = {}) =>
    app.api(method, path, { key: more.key ?? app.key, body, headers: { ...more.headers, 'idempotency-key': key } })
  const create = (key: string, body: unknown = {}, more = {}) => ask(key, 'POST', '/addresses', body, more)
  const addresses = async (key = app.key) => (await app.api('GET', '/addresses', { key })).body.data.total as number
  const isReplay = ({ headers }: ApiAnswer) => headers.get('idempotency-replayed') === 'true'
  const keys = () => storedKeys(app)

  it('answers a repeated request with the same bytes as the first one, and changes nothing', async () => {
    const post = () => rawRequest(app.url, {
      method: 'POST', path: '/api/v1/addresses', body: '{"expiresIn":600}',
      headers: { ...bearer(app.key), 'content-type': 'application/json', 'idempotency-key': 'one' },
    })
    const first = await post()
    expect(first).to.deep.include({ status: 201 })
    expect(first.headers).to.not.have.property('idempotency-replayed')
    const atOnce = await post()
    await app.advance({ minutes: 5 })
    for (const again of [atOnce, await post()]) {
      expect([again.status, again.text]).to.deep.equal([first.status, first.text])
      expect(again.headers).to.include({ 'idempotency-replayed': 'true', 'content-type': first.headers['content-type'] })
    }
    expect(await addresses()).to.equal(1)
  })

  it('treats members in another order, and an id in another case, as the same request', async () => {
    const first = await create('a', { alias: 'x', expiresIn: 60 })
    expect((await create('a', '{ "expiresIn": 60, "alias": "x" }')).body).to.deep.equal(first.body)
    const { id } = first.body.data
    await ask('b', 'DELETE', `/addresses/${id}`)
    expect(isReplay(await ask('b', 'DELETE', `/addresses/${id.toUpperCase()}`))).to.equal(true)
  })

  it('refuses another body, path, or operation', async () => {
    const { id } = (await create('k', { alias: 'x' })).body.data
    for (const answer of [await create('k', { alias: 'y' }), await create('k'), await ask('k', 'DELETE', `/addresses/${id}`)]) {
      expect([answer.status, answer.body]).to.deep.equal([409, usedOtherwise])
      expect(isReplay(answer)).to.equal(false)
    }
    await ask('d', 'DELETE', `/addresses/${id}`)
    expect((await ask('d', 'DELETE', `/addresses/${unknownId}`)).status).to.equal(409)
    expect((await create('k', { alias: 'x' })).status).to.equal(201)
    expect(await addresses()).to.equal(0)
  })

  it('creates one address for 50 concurrent requests, and returns it to all', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create('many')))
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).to.equal(1)
    expect(answers.filter((answer) => !isReplay(answer))).to.have.length(1)
    expect(await addresses()).to.equal(1)
  })

  it('carries out one of several different concurrent requests, and refuses the others', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => create('k', { alias: `x${i % 3}` })))
    const made = answers.filter(({ status }) => status === 201)
    expect(made).to.have.length(10)
    expect(new Set(made.map(({ body }) => body.data.id)).size).to.equal(1)
    for (const { status, body } of answers) if (status !== 201) expect([status, body]).to.deep.equal([409, usedOtherwise])
    expect(await addresses()).to.equal(1)
  })

  it('carries out the second of two concurrent requests when the first is refused', async () => {
    await app.newAddress({ alias: 'taken' })
    const answers = await Promise.all(['taken', 'free', 'taken', 'free', 'other'].map((alias) => create('k', { alias })))
    expect(answers.map(({ status }) => status)).to.deep.equal([409, 201, 409, 201, 409])
    expect(await addresses()).to.equal(2)
  })

  it('stores no refusal', async () => {
    const { id } = await app.newAddress({ alias: 'taken' })
    expect((await create('a', { alias: 'taken' })).status).to.equal(409)
    expect((await create('a', { alias: '!' })).status).to.equal(400)
    expect((await create('a', {}, { key: await app.newKey({ scopes: ['emails:read'] }) })).status).to.equal(403)
    expect((await ask('a', 'DELETE', `/addresses/${unknownId}`)).status).to.equal(404)
    expect(await keys()).to.deep.equal([])
    const mended = await create('a', { alias: 'free' })
    expect([mended.status, isReplay(mended)]).to.deep.equal([201, false])
    await ask('gone', 'DELETE', `/addresses/${id}`)
    const again = await ask('gone', 'DELETE', `/addresses/${id}`)
    expect([again.status, isReplay(again)]).to.deep.equal([200, true])
    expect((await app.api('DELETE', `/addresses/${id}`)).status).to.equal(404)
  })

  it('stores no server error', async () => {
    const allow = await refuseChanges(app, 'insert', 'addresses')
    expect((await create('k')).status).to.equal(500)
    await allow()
    expect((await create('k')).status).to.equal(201)
    expect(await addresses()).to.equal(1)
  })

  it('expires after 24 hours, and is removed in the following night', async () => {
    const { body } = await create('k', {})
    await app.advance({ hours: 23, minutes: 59, seconds: 59 })
    expect((await create('k', {})).body).to.deep.equal(body)
    expect((await create('k', { alias: 'x' })).status).to.equal(409)
    await app.advance({ seconds: 1 })
    const { status, body: second } = await create('k', { alias: 'x' })
    expect([status, second.data.alias]).to.deep.equal([201, 'x'])
    expect((await create('k', { alias: 'x' })).body).to.deep.equal(second)
    expect(await keys()).to.have.length(1)
    await app.advance({ hours: 38 })
    expect(await keys()).to.have.length(1)
    await app.advance({ hours: 1 })
    expect(await keys()).to.deep.equal([])
  })

  it('is removed also when there are more than one step removes', async () => {
    await create('k')
    await addKeys(app, 700)
    await app.advance({ days: 2 })
    expect(await keys()).to.deep.equal([])
  })

  it('is kept across a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-keys-'))
    try {
      const options = { database: join(folder, 'mayfly.db'), clock: testClock() }
      const call = (server: TestApp, key: string) => server.api('POST', '/addresses', { key, body: {}, headers: { 'idempotency-key': 'k' } })
      const first = await openTestApp(options)
      const { body } = await call(first, first.key)
      await first[Symbol.asyncDispose]()
      await using second = await openTestApp(options)
      const again = await call(second, first.key)
      expect([again.status, again.body, isReplay(again)]).to.deep.equal([201, body, true])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('belongs to one account and mode', async () => {
    const { id: account } = await createAccount(app, 'both@example.org')
    const owners = [app.key, await app.newKey({ account }), await app.newKey({ account, isTest: true })]
    const answers = await Promise.all(owners.map((key) => create('k', { }, { key })))
    expect(new Set(answers.map(({ body }) => body.data.id)).size).to.equal(3)
    expect(answers.some(isReplay)).to.equal(false)
    expect((await create('k', { alias: 'x' }, { key: await app.newKey() })).status).to.equal(201)
    const other = await app.newKey({ account })
    expect((await create('k', {}, { key: other })).body).to.deep.equal(answers[1]!.body)
  })

  describe('webhook secrets', () => {
    const input = { url: 'https://hooks.example.com/', events: ['address.created'] }
    const add = () => ask('add', 'POST', '/webhooks', input)

    it('are in the first answer only, of a creation and of a rotation, also for concurrent requests', async () => {
      const created = [...await Promise.all(Array.from({ length: 5 }, add)), await add()]
      const rotate = () => ask('rotate', 'POST', `/webhooks/${created[0]!.body.data.id}/rotate-secret`)
      for (const answers of [created, [...await Promise.all([rotate(), rotate()]), await rotate()]]) {
        const [first, ...more] = answers.filter((answer) => !isReplay(answer))
        expect(more).to.deep.equal([])
        const { secret, ...shown } = first!.body.data
        expect(secret).to.match(/^whsec_/)
        for (const { status, body } of answers.filter(isReplay)) expect([status, body.data]).to.deep.equal([first!.status, shown])
      }
      expect(JSON.stringify(await keys())).to.not.include('whsec_')
    })

    it('are not in the repeated answer for a deleted webhook', async () => {
      const { id } = (await add()).body.data
      await app.api('DELETE', `/webhooks/${id}`)
      const again = await add()
      expect([again.status, again.body.data.id, isReplay(again)]).to.deep.equal([201, id, true])
      expect(JSON.stringify(again.body)).to.not.include('whsec_')
      expect((await app.api('GET', '/webhooks')).body.data).to.deep.equal([])
    })
  })

  it('returns a stored answer only to callers with the scope of the request', async () => {
    const { id: account } = await createAccount(app, 'scopes@example.org')
    const body = { url: 'https://hooks.example.com/', events: ['address.created'] }
    const owner = await app.newKey({ account })
    expect((await ask('k', 'POST', '/webhooks', body, { key: owner })).body.data.secret).to.match(/^whsec_/)
    expect((await ask('k', 'POST', '/webhooks', body, { key: await app.newKey({ account, scopes: ['emails:write'] }) })).status).to.equal(403)
  })

  it('must have 1 to 255 visible ASCII characters', async () => {
    for (const key of ['', 'x'.repeat(256), 'a b', 'a\tb', '\u00e4', 'a, a']) {
      const { status, body } = await ask(key, 'POST', '/addresses', {})
      expect([status, body], key).to.deep.equal([400, {
        error: 'header.Idempotency-Key: must be 1 to 255 visible ASCII characters, such as a UUID.',
        code: 'INVALID_REQUEST',
        details: [{ path: 'header.Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters, such as a UUID' }],
      }])
    }
    for (const key of ['x'.repeat(255), '!', '~"\'\\;--', '__proto__', 'constructor']) expect((await create(key)).status, key).to.equal(201)
    expect(await addresses()).to.equal(5)
  })

  it('has no effect on a GET', async () => {
    await create('k')
    const list = () => ask('k', 'GET', '/addresses')
    expect((await list()).body.data.total).to.equal(1)
    await app.newAddress()
    expect((await list()).body.data.total).to.equal(2)
    expect((await ask('not a key', 'GET', '/addresses')).status).to.equal(200)
  })

  it('counts repeated requests against the rate limit, and records them in the audit log', async () => {
    const { headers, body } = await create('k')
    const again = await create('k')
    expect(Number(again.headers.get('x-ratelimit-remaining'))).to.equal(Number(headers.get('x-ratelimit-remaining')) - 1)
    await create('k', { alias: 'x' })
    const { data } = (await app.api('GET', '/audit-logs')).body
    expect(data.map(({ action, status, resourceId }: Record<string, unknown>) => [action, status, resourceId])).to.deep.equal([
      ['addresses.create', 409, null], ['addresses.create', 201, body.data.id], ['addresses.create', 201, body.data.id],
    ])
  })

  it('refuses repeated requests over the rate limit, and does not store the refusal', async () => {
    await using small = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '2' } })
    const call = () => small.api('POST', '/addresses', { body: {}, headers: { 'idempotency-key': 'k' } })
    const statuses = [await call(), await call(), await call()].map(({ status }) => status)
    expect(statuses).to.deep.equal([201, 201, 429])
    await small.advance({ minutes: 1 })
    expect((await call()).status).to.equal(201)
  })

  describe('with X-Mayfly-Fault', () => {
    let key: string
    beforeEach(async () => { key = await app.newKey({ isTest: true }) })
    const faulty = (fault: string, alias = 'x') => create('k', { alias }, { key, headers: { 'x-mayfly-fault': fault } })

    it('stores no injected fault', async () => {
      for (const status of [503, 500, 429]) expect((await faulty(`status=${status}`)).status).to.equal(status)
      expect(await faulty('disconnect').catch(() => 'gone')).to.equal('gone')
      const { status, body } = await create('k', { alias: 'x' }, { key })
      expect([status, body.data.alias]).to.deep.equal([201, 'x'])
    })

    it('repeats the stored answer after injected faults', async () => {
      const { body } = await create('k', { alias: 'x' }, { key })
      expect((await faulty('status=503')).status).to.equal(503)
      expect(await faulty('disconnect').catch(() => 'gone')).to.equal('gone')
      for (const again of [await create('k', { alias: 'x' }, { key }), await faulty('delay=1')]) {
        expect([again.status, again.body, isReplay(again)]).to.deep.equal([201, body, true])
      }
      expect(await addresses(key)).to.equal(1)
    })
  })

  describe('the stored answer', () => {
    /** Makes later updates of stored keys fail, as if the process died after the transaction that stored them. */
    const diesAfterChange = () => refuseChanges(app, 'update', 'idempotency_keys')
    /** The rows that requests change, without emails, which the worker publishes meanwhile. */
    const changes = () => Promise.all((['addresses', 'forwarding_rules', 'domains', 'forwarding_addresses', 'webhooks', 'webhook_deliveries', 'deliveries'] as const)
      .map((table) => rowsOf(app, table)))
    const verified = async () => {
      const { id } = (await app.api('POST', '/forwarding-addresses', { body: { email: 'grace@example.com' } })).body.data
      await verifyForwardingAddresses(app)
      return id as string
    }
    const withoutSecret = (body: unknown) => JSON.parse(JSON.stringify(body, (name, value) => name === 'secret' ? undefined : value))

    it('is stored with the change, for every operation: a repeated request gets it, and changes nothing', async () => {
      await diesAfterChange()
      const tested = new Set<string>()
      let requests = 0
      const same = async (operation: string, method: string, path: string, body?: unknown, more = {}) => {
        tested.add(operation)
        const key = `key-${++requests}`
        const first = await ask(key, method, path, body, more)
        expect(first.status, operation).to.be.below(300)
        await app.settled() // a new domain is checked at once
        const before = await changes()
        const again = await ask(key, method, path, body, more)
        expect([again.status, again.body, isReplay(again)], operation).to.deep.equal([first.status, withoutSecret(first.body), true])
        expect(await changes(), operation).to.deep.equal(before)
        return first.body
      }
      const { data: address } = await same('addresses.create', 'POST', '/addresses', {})
      const forwardToId = await verified()
      await same('forwardingRules.update', 'PATCH', `/addresses/${address.id}/forwarding`, { forwardToId })
      const mail = { fromAddressId: address.id, to: 'ada@example.com', subject: 's', body: 'b' }
      const { data: sent } = await same('emails.send', 'POST', '/emails', mail)
      await same('emails.send', 'POST', '/emails', { ...mail, body: 'long '.repeat(9_000) })
      await same('emails.update', 'PATCH', `/emails/${sent.id}`, { isStarred: true })
      await same('emails.delete', 'DELETE', `/emails/${sent.id}`)
      await same('addresses.delete', 'DELETE', `/addresses/${address.id}`)
      const { data: domain } = await same('domains.create', 'POST', '/domains', { domain: 'inbox.example.com' })
      await same('domains.verify', 'POST', `/domains/${domain.id}/verify`)
      await same('domains.delete', 'DELETE', `/domains/${domain.id}`)
      const { data: forwarding } = await same('forwardingAddresses.create', 'POST', '/forwarding-addresses', { email: 'ada@example.com' })
      await app.advance({ minutes: 2 })
      await same('forwardingAddresses.resendVerification', 'POST', `/forwarding-addresses/${forwarding.id}/resend-verification`)
      await same('forwardingAddresses.delete', 'DELETE', `/forwarding-addresses/${forwarding.id}`)
      const { data: webhook } = await same('webhooks.create', 'POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['address.created'] })
      await same('webhooks.update', 'PATCH', `/webhooks/${webhook.id}`, { events: ['address.deleted'] })
      await same('webhooks.rotateSecret', 'POST', `/webhooks/${webhook.id}/rotate-secret`)
      const { data: delivery } = await same('webhooks.test', 'POST', `/webhooks/${webhook.id}/test`)
      await same('webhooks.redeliver', 'POST', `/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`)
      await same('webhooks.delete', 'DELETE', `/webhooks/${webhook.id}`)
      const key = await app.newKey({ isTest: true })
      const { address: to } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
      await same('test.createEmail', 'POST', '/test/emails', { to, subject: 's' }, { key })
      await same('test.createEmail', 'POST', '/test/emails', { to, raw: `Subject: long\n\n${'long '.repeat(100_000)}` }, { key })
      await app.settled()
      expect((await app.api('GET', '/emails', { key })).body.total).to.equal(2)
      const others = operations.filter(({ method, operationId }) => method !== 'get' && !tested.has(operationId))
      expect(others.map(({ operationId }) => operationId)).to.deep.equal([])
    })

    it('is returned also when the resources of the change are deleted', async () => {
      const { id } = (await app.api('POST', '/forwarding-addresses', { body: { email: 'ada@example.com' } })).body.data
      await app.advance({ minutes: 2 })
      await diesAfterChange()
      const resend = () => ask('k', 'POST', `/forwarding-addresses/${id}/resend-verification`)
      const first = await resend()
      await app.api('DELETE', `/forwarding-addresses/${id}`)
      const again = await resend()
      expect([again.status, again.body, isReplay(again)]).to.deep.equal([200, first.body, true])
    })

    it('of POST /test/emails prevents a second mail after the first was removed', async () => {
      const key = await app.newKey({ isTest: true })
      await diesAfterChange()
      for (const text of ['short', 'long '.repeat(100_000)]) {
        const { id, address: to } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
        const inject = () => ask(text.slice(0, 5).trim(), 'POST', '/test/emails', { to, text }, { key })
        const first = await inject()
        await app.settled()
        const [email] = await rowsOf(app, 'emails')
        expect([email!.addressId, { id: email!.id }]).to.deep.equal([id, first.body.data])
        await removeEmails(app)
        const again = await inject()
        expect([again.status, again.body, isReplay(again)]).to.deep.equal([201, first.body, true])
        await app.settled()
        expect(await rowsOf(app, 'emails')).to.deep.equal([])
      }
    })

    it('of POST /test/emails is stored once when the thread that stores it dies, before or after the commit', async () => {
      const key = await app.newKey({ isTest: true })
      const { address: to } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
      const { intake } = app.app
      const { store } = intake
      for (const [i, storedBefore] of [false, true].entries()) {
        intake.store = async (...mail) => {
          if (storedBefore) await store(...mail)
          return false
        }
        const inject = () => ask(`k${i}`, 'POST', '/test/emails', { to, text: 'short' }, { key })
        const first = await inject()
        const again = await inject()
        await app.settled()
        expect([first.status, again.status, again.body, isReplay(again)]).to.deep.equal([201, 201, first.body, true])
        const { data } = (await app.api('GET', '/emails', { key })).body
        expect(data.map(({ id }: { id: string }) => id)).to.include(first.body.data.id).and.have.length(i + 1)
        const { data: records } = (await app.api('GET', '/audit-logs', { key })).body
        const calls = records.filter(({ resourceId }: { resourceId: string }) => resourceId === first.body.data.id)
        expect(calls).to.have.length(2) // the change and its repetition
      }
    })

    it('is in the same transaction as the change: when it cannot be stored, nothing changes', async () => {
      const key = await app.newKey({ isTest: true })
      const { address: to } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
      const allow = await refuseChanges(app, 'insert', 'idempotency_keys')
      const requests = [
        () => create('k', {}),
        () => ask('short', 'POST', '/test/emails', { to, text: 'short' }, { key }),
        () => ask('long', 'POST', '/test/emails', { to, text: 'long '.repeat(100_000) }, { key }),
      ]
      for (const request of requests) expect((await request()).status).to.equal(500)
      await app.settled()
      const found = async () => [await addresses(), (await app.api('GET', '/emails', { key })).body.total]
      expect(await found()).to.deep.equal([0, 0])
      await allow()
      for (const request of requests) expect((await request()).status).to.equal(201)
      await app.settled()
      expect(await found()).to.deep.equal([1, 2])
    })
  })

  it('keeps the answers in a database of an older version, except those with a secret', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-keys-'))
    try {
      const options = { database: join(folder, 'mayfly.db'), clock: testClock() }
      const first = await openTestApp(options)
      const call = (server: TestApp, key: string, method: string, path: string, body?: unknown) =>
        server.api(method, path, { key: first.key, body, headers: { 'idempotency-key': key } })
      const { body } = await call(first, 'address', 'POST', '/addresses', {})
      await first.send({ to: body.data.address, subject: 's' })
      const email = await first.onlyEmail(body.data.id)
      const star = (server: TestApp) => call(server, 'star', 'PATCH', `/emails/${email.id}`, { isStarred: true })
      await star(first)
      const rows = await storedKeys(first)
      await first[Symbol.asyncDispose]()

      const [address, starred] = ['address', 'star'].map((key) => rows.find((row) => row.key === key)!)
      storeAsFirstVersion(options.database, [
        { ...address!, operation: 'addresses.create' },
        { ...starred!, operation: 'emails.update', answer: null },
        { ...address!, key: 'webhook', operation: 'webhooks.create', answer: '{"data":{"secret":"whsec_"}}' },
        { ...address!, key: 'unanswered', operation: 'addresses.create', answer: null },
      ])

      await using second = await openTestApp(options)
      const again = await call(second, 'address', 'POST', '/addresses', {})
      expect([again.status, again.body, isReplay(again)]).to.deep.equal([201, body, true])
      const starredAgain = await star(second)
      expect([starredAgain.status, starredAgain.body.data.id, isReplay(starredAgain)]).to.deep.equal([200, email.id, true])
      expect((await storedKeys(second)).map(({ key }) => key).sort()).to.deep.equal(['address', 'star'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('stores no content of a mail: a repeated PATCH shows the current email, and answers 409 once it is gone', async () => {
    const { id, address } = await app.newAddress()
    await app.send({ to: address, subject: 's', text: 'Your code is 482913.' })
    const email = await app.onlyEmail(id)
    const star = () => ask('k', 'PATCH', `/emails/${email.id}`, { isStarred: true })
    const first = await star()
    expect([first.status, isReplay(first), first.body.data.isStarred]).to.deep.equal([200, false, true])
    await app.api('PATCH', `/emails/${email.id}`, { body: { isStarred: false } })
    const again = await star()
    expect([again.status, isReplay(again), again.body.data]).to.deep.equal([200, true, { ...first.body.data, isStarred: false }])
    await app.app.http.flush()
    expect(JSON.stringify(await keys())).to.not.include('482913')

    await app.api('DELETE', `/addresses/${id}`)
    const gone = await star()
    expect([gone.status, gone.body]).to.deep.equal([409, answerGone])
  })
})
