import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bearer, unknownId } from '../contract/requests.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { newDatabase } from '../support/new-database.ts'
import { rawRequest } from '../support/raw-request.ts'
import { createAccount } from '../support/store/accounts.ts'
import { refuseChanges } from '../support/store/faults.ts'
import { addKeys } from '../support/store/idempotency-keys.ts'
import { isReplay, useKeyWorld } from './idempotency-world.ts'

const usedOtherwise = { error: 'This Idempotency-Key was used for another request. Choose a new one for each change.', code: 'CONFLICT' }

describe('Idempotency-Key', function () {
  const world = useKeyWorld()
  const { ask, create, addresses, keys } = world
  let app: TestApp
  beforeEach(() => { ({ app } = world) })

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
    const first = await create('a', { alias: 'ordered', expiresIn: 60 })
    expect((await create('a', '{ "expiresIn": 60, "alias": "ordered" }')).body).to.deep.equal(first.body)
    const { id } = first.body.data
    await ask('b', 'DELETE', `/addresses/${id}`)
    expect(isReplay(await ask('b', 'DELETE', `/addresses/${id.toUpperCase()}`))).to.equal(true)
  })

  it('refuses another body, path, or operation', async () => {
    const { id } = (await create('k', { alias: 'used' })).body.data
    for (const answer of [await create('k', { alias: 'other' }), await create('k'), await ask('k', 'DELETE', `/addresses/${id}`)]) {
      expect([answer.status, answer.body]).to.deep.equal([409, usedOtherwise])
      expect(isReplay(answer)).to.equal(false)
    }
    await ask('d', 'DELETE', `/addresses/${id}`)
    expect((await ask('d', 'DELETE', `/addresses/${unknownId}`)).status).to.equal(409)
    expect((await create('k', { alias: 'used' })).status).to.equal(201)
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
    const { id } = await app.newAddress({ alias: 'refused' })
    expect((await create('a', { alias: 'refused' })).status).to.equal(409)
    expect((await create('a', { alias: '!' })).status).to.equal(400)
    expect((await create('a', {}, { key: await app.newKey({ scopes: ['emails:read'] }) })).status).to.equal(403)
    expect((await ask('a', 'DELETE', `/addresses/${unknownId}`)).status).to.equal(404)
    expect(await keys()).to.deep.equal([])
    const mended = await create('a', { alias: 'mended' })
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

  it('is kept across a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-keys-'))
    try {
      const options = { database: await newDatabase(join(folder, 'mayfly.db')), clock: testClock() }
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
    const { id: account } = await createAccount(app, 'both-keys@example.org')
    const owners = [app.key, await app.newKey({ account }), await app.newKey({ account, isTest: true })]
    const answers = await Promise.all(owners.map((key) => create('k', { }, { key })))
    expect(new Set(answers.map(({ body }) => body.data.id)).size).to.equal(3)
    expect(answers.some(isReplay)).to.equal(false)
    expect((await create('k', { alias: 'foreign' }, { key: await app.newKey() })).status).to.equal(201)
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
    const { id: account } = await createAccount(app, 'scopes-keys@example.org')
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
    await create('k', { alias: 'counted' })
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
    let alias: string
    beforeEach(async () => {
      key = await app.newKey({ isTest: true })
      alias = `faulty-${app.app.db.newId()}`
    })
    const faulty = (fault: string) => create('k', { alias }, { key, headers: { 'x-mayfly-fault': fault } })

    it('stores no injected fault', async () => {
      for (const status of [503, 500, 429]) expect((await faulty(`status=${status}`)).status).to.equal(status)
      expect(await faulty('disconnect').catch(() => 'gone')).to.equal('gone')
      const { status, body } = await create('k', { alias }, { key })
      expect([status, body.data.alias]).to.deep.equal([201, alias])
    })

    it('repeats the stored answer after injected faults', async () => {
      const { body } = await create('k', { alias }, { key })
      expect((await faulty('status=503')).status).to.equal(503)
      expect(await faulty('disconnect').catch(() => 'gone')).to.equal('gone')
      for (const again of [await create('k', { alias }, { key }), await faulty('delay=1')]) {
        expect([again.status, again.body, isReplay(again)]).to.deep.equal([201, body, true])
      }
      expect(await addresses(key)).to.equal(1)
    })
  })
})

describe('Idempotency-Key: retention', () => {
  const world = useKeyWorld(openTestApp) // a server a test: its clock moves on by days
  const { create, keys } = world
  let app: TestApp
  beforeEach(() => { ({ app } = world) })

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
})
