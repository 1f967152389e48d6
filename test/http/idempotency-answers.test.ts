import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '../contract/requests.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { newDatabase } from '../support/new-database.ts'
import { refuseChanges } from '../support/store/faults.ts'
import { verifyForwardingAddresses } from '../support/store/forwarding-addresses.ts'
import { storeAsFirstVersion, storedKeys } from '../support/store/idempotency-keys.ts'
import { removeEmails } from '../support/store/mails.ts'
import { rowsOf } from '../support/store/rows.ts'
import { isReplay, useKeyWorld } from './idempotency-world.ts'

const answerGone = {
  error: 'The first request with this Idempotency-Key was carried out, but its answer is gone. Look at what is there now; nothing was changed again.',
  code: 'CONFLICT',
}

describe('Idempotency-Key', function () {
  const world = useKeyWorld()
  const { ask, create, addresses, keys } = world
  let app: TestApp
  beforeEach(() => { ({ app } = world) })

  describe('the stored answer', () => {
    /** Makes later updates of stored keys fail, as if the process died after the transaction that stored them. */
    const diesAfterChange = async () => { end = await refuseChanges(app, 'update', 'idempotency_keys') }
    let end: () => Promise<void>
    beforeEach(() => { end = async () => {} })
    afterEach(() => end())
    /** The rows that requests change, without emails, which the worker publishes meanwhile. */
    const changes = () => Promise.all((['addresses', 'forwarding_rules', 'domains', 'forwarding_addresses', 'webhooks', 'webhook_deliveries', 'deliveries'] as const)
      .map((table) => rowsOf(app, table)))
    const verified = async () => {
      const { id } = (await app.api('POST', '/forwarding-addresses', { body: { email: 'grace@example.com' } })).body.data
      await verifyForwardingAddresses(app)
      return id as string
    }
    const withoutSecret = (body: unknown) => JSON.parse(JSON.stringify(body, (name, value) => ['secret', 'password', 'key'].includes(name) || String(value).startsWith('smtp:') ? undefined : value))

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
      await app.send({ from: 'app@shop.example', to: address.address, subject: 'received', text: 'text' })
      await app.settled()
      const [received] = (await app.api('GET', '/emails?type=received')).body.data
      await same('emails.bounce', 'POST', `/emails/${received.id}/bounce`, {})
      await same('emails.complain', 'POST', `/emails/${received.id}/complain`)
      await same('emails.forward', 'POST', `/emails/${received.id}/forward`, { forwardToId })
      await same('emails.delete', 'DELETE', `/emails/${sent.id}`)
      await same('emails.restore', 'POST', `/emails/${sent.id}/restore`)
      await same('emails.changeAll', 'POST', '/emails/actions', { action: 'delete', q: 'received' })
      await same('emails.changeAll', 'POST', '/emails/actions', { action: 'restore' })
      await same('addresses.setSmtpFaults', 'PUT', `/addresses/${address.id}/smtp-faults`, { steps: [{ at: 'end', code: 451 }] })
      await same('addresses.clearSmtpFaults', 'DELETE', `/addresses/${address.id}/smtp-faults`)
      await same('addresses.update', 'PATCH', `/addresses/${address.id}`, { blockedSenders: ['a@shop.example'] })
      await same('addresses.createSmtpLogin', 'POST', `/addresses/${address.id}/smtp-login`)
      await same('addresses.deleteSmtpLogin', 'DELETE', `/addresses/${address.id}/smtp-login`)
      await same('addresses.delete', 'DELETE', `/addresses/${address.id}`)
      const { data: domain } = await same('domains.create', 'POST', '/domains', { domain: 'inbox.example.com' })
      await same('domains.verify', 'POST', `/domains/${domain.id}/verify`)
      await same('domains.update', 'PATCH', `/domains/${domain.id}`, { catchAllId: null })
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
      const { data: made } = await same('apiKeys.create', 'POST', '/api-keys', { name: 'made', scopes: ['emails:read'] })
      await same('apiKeys.revoke', 'DELETE', `/api-keys/${made.id}`)
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
        const emails = (await rowsOf(app, 'emails')).filter(({ addressId }) => addressId === id)
        expect(emails.map((email) => ({ id: email.id }))).to.deep.equal([first.body.data])
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
        end = async () => { intake.store = store }
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
      const options = { database: await newDatabase(join(folder, 'mayfly.db')), clock: testClock() }
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
      await storeAsFirstVersion(options.database, [
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
