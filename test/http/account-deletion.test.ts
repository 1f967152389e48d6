import { expect } from 'chai'
import { request } from 'node:http'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openDomainsWorld } from '../support/domains.ts'
import { openEndpoint } from '../support/endpoint.ts'
import { readEvents } from '../support/event-reader.ts'
import { capturedLink, openForwardingWorld, press, visit } from '../support/forwarding.ts'
import { openWaits } from '../support/open-waits.ts'
import { openSession, playSession } from '../support/play-session.ts'
import type { Step } from '../support/play-session.ts'
import { createAccount, createApiKey, deleteAccount, revokeApiKey } from '../support/store/accounts.ts'
import { refuseChanges } from '../support/store/faults.ts'
import { countRows } from '../support/store/rows.ts'

const hello: Step = ['EHLO client.example.org', 250]
const from: Step = ['MAIL FROM:<shop@example.org>', 250]

/**
 * Deletes an account, and makes the job that removes its rows fail.
 * @returns a function that lets the job go on, and resolves when the rows are removed
 */
async function deleteButKeepRows(app: TestApp, email: string) {
  const restored = [await refuseChanges(app, 'delete', 'emails'), await refuseChanges(app, 'delete', 'accounts')]
  await deleteAccount(app, email)
  await app.settled()
  return async () => {
    for (const restore of restored) await restore()
    await app.advance({ minutes: 5 })
    await app.settled()
  }
}

describe('Account deletion', () => {
  const newApp = shareTestApp()
  let app: TestApp
  let email: string
  let key: string
  beforeEach(async () => {
    app = await newApp()
    email = `leaver-${app.app.db.newId()}@example.org`
    key = await app.newKey({ account: (await createAccount(app, email)).id })
  })

  const addressOf = async (owner: string, body = {}) => (await app.api('POST', '/addresses', { key: owner, body })).body.data

  it('ends its keys and its mail at once, and leaves other accounts as they are', async () => {
    const [leaving, staying] = [await addressOf(key), await app.newAddress()]
    await app.send({ to: [leaving.address, staying.address], subject: 'both', attachments: [{ filename: 'a.txt', content: 'attached' }] })
    await app.settled()
    const before = await app.onlyEmail(staying.id)

    const removeRows = await deleteButKeepRows(app, email)
    for (const [method, path] of [['GET', '/emails'], ['POST', '/addresses'], ['GET', `/addresses/${leaving.id}`]] as const) {
      const { status, body } = await app.api(method, path, { key, ...method === 'POST' && { body: {} } })
      expect([status, body.code], path).to.deep.equal([401, 'INVALID_API_KEY'])
    }
    const replies = await playSession(app.smtp, [hello, from, [`RCPT TO:<${leaving.address}>`, 550], [`RCPT TO:<${staying.address}>`, 250]])
    expect(replies[2]).to.equal('550 5.1.1 No such address here')

    await removeRows()
    expect(await app.onlyEmail(staying.id)).to.deep.equal(before)
    const attachment = await app.api('GET', `/emails/${before.id}/attachments/${before.attachments[0]!.id}`)
    expect(String(attachment.body)).to.equal('attached')
    await app.send({ to: staying.address, subject: 'later' })
    expect((await app.listEmails()).map(({ subject }) => subject)).to.deep.equal(['later', 'both'])
  })

  it('drops mail whose recipient was accepted before', async () => {
    const [leaving, staying] = [await addressOf(key), await app.newAddress()]
    await using alone = await openSession(app.smtp)
    await using both = await openSession(app.smtp)
    await alone.play([hello, from, [`RCPT TO:<${leaving.address}>`, 250], ['DATA', 354]])
    await both.play([hello, from, [`RCPT TO:<${leaving.address}>`, 250], [`RCPT TO:<${staying.address}>`, 250], ['DATA', 354]])
    const messages = await countRows(app, 'messages')
    const removeRows = await deleteButKeepRows(app, email)
    for (const session of [alone, both]) await session.play([['Subject: late\r\n\r\nlate\r\n.', 250]])
    await app.settled()
    expect((await app.onlyEmail(staying.id)).subject).to.equal('late')
    expect(await countRows(app, 'messages')).to.equal(messages + 1)
    await removeRows()
    expect(await countRows(app, 'messages')).to.equal(messages + 1)
  })

  it('frees its e-mail address for an account that sees nothing of it, and reserves its addresses for 30 days', async () => {
    const active = await addressOf(key, { alias: `active-${app.app.db.newId()}` })
    const removed = await addressOf(key)
    await app.api('DELETE', `/addresses/${removed.id}`, { key })
    await app.send({ to: active.address, subject: 'old' })
    await app.settled()
    const old = (await app.api('GET', '/emails', { key })).body.data[0]
    const removeRows = await deleteButKeepRows(app, email)
    const next = await app.newKey({ account: (await createAccount(app, email)).id })
    const checkEmpty = async () => {
      expect((await app.api('GET', '/addresses', { key: next })).body.data).to.include({ total: 0 })
      expect((await app.api('GET', '/emails', { key: next })).body).to.deep.include({ data: [], total: 0 })
      expect((await app.api('GET', '/analytics', { key: next })).body).to.include({ totalAddresses: 0, totalEmailsReceived: 0 })
      expect((await app.api('GET', `/emails/${old.id}`, { key: next })).status).to.equal(404)
      expect((await app.api('GET', `/addresses/${active.id}`, { key: next })).status).to.equal(404)
    }
    const claim = async (alias: string, owner: string) => (await app.api('POST', '/addresses', { key: owner, body: { alias } })).status
    const checkReserved = async () => {
      for (const { alias } of [active, removed]) {
        expect([await claim(alias, next), await claim(alias, app.key)], alias).to.deep.equal([409, 409])
      }
    }
    await checkEmpty()
    await checkReserved()
    await removeRows()
    await checkEmpty()
    await checkReserved()
    await app.advance({ days: 30 })
    for (const { alias } of [active, removed]) expect(await claim(alias, next), alias).to.equal(201)
  })

  it('lets another account have a key of the same value', async () => {
    const removeRows = await deleteButKeepRows(app, email)
    const { id } = await createAccount(app, email)
    await createApiKey(app, id, { value: key })
    for (const remove of [async () => {}, removeRows]) {
      await remove()
      expect((await app.api('GET', '/addresses', { key })).body.data).to.include({ total: 0 })
    }
    const taken = await createApiKey(app, id, { value: key }).catch((error: Error) => error.message)
    expect(taken).to.match(/unique/i)
  })

  it('ends its event streams', async () => {
    const reader = await readEvents(app.url, key)
    await openWaits(app, 1)
    await deleteAccount(app, email)
    await app.advance({ seconds: 3 })
    expect(await reader.ended).to.equal(true)
    expect(reader.events).to.deep.equal([])
  })

  it('refuses a change whose body arrives after it', async () => {
    const body = JSON.stringify({ alias: `late-${app.app.db.newId()}` })
    const headers = { 'authorization': `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length, 'expect': '100-continue' }
    const sent = request(`${app.url}/api/v1/addresses`, { method: 'POST', headers, agent: false })
    const answered = new Promise<number>((resolve) => sent.once('response', (answer) => resolve(answer.resume().statusCode!)))
    const continued = new Promise((resolve) => sent.once('continue', resolve))
    sent.write(body.slice(0, 5))
    await continued
    await deleteAccount(app, email)
    await app.settled()
    sent.end(body.slice(5))
    expect(await answered).to.equal(401)
  })

  it('does not lose the audit rows of other accounts that are written with its own', async () => {
    await app.api('GET', '/addresses', { key })
    await app.api('GET', '/domains')
    await deleteAccount(app, email)
    await app.settled()
    const { data } = (await app.api('GET', '/audit-logs')).body
    expect(data.map(({ action }: { action: string }) => action)).to.include('domains.list')
  })

  it('names the way out for an unknown account, also for one that is deleted', async () => {
    await deleteAccount(app, email.toUpperCase())
    const second = await deleteAccount(app, email).catch((error: Error) => error.message)
    expect(second).to.equal(`There is no account ${email}. "mayfly account list" shows the e-mail addresses of the accounts.`)
    const { id } = await createAccount(app, `other-${email}`)
    const { id: keyId } = await createApiKey(app, id)
    await deleteAccount(app, `other-${email}`)
    expect(await createApiKey(app, id).catch((error: Error) => error.message)).to.include(`There is no account ${id}.`)
    expect(await revokeApiKey(app, keyId).catch((error: Error) => error.message)).to.include(`There is no key with the id ${keyId}.`)
  })
})

describe('Account deletion: mail and requests on their way out', () => {
  it('ends webhooks, mail that waits to be sent, and forwards', async () => {
    await using endpoint = await openEndpoint(() => 500)
    await using world = await openForwardingWorld({ env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } })
    const { app, receiver } = world
    const key = await app.newKey({ account: (await createAccount(app, 'leaver@example.org')).id })
    const call = async (path: string, body: unknown) => (await app.api('POST', path, { key, body })).body.data
    const { id: forwardToId } = await world.newVerified('ada@forward.example', key)
    receiver.replies.rcpt = () => ({ code: 450, text: 'Try again later' })
    await call('/webhooks', { url: endpoint.url, events: ['email.received'] })
    const { id, address } = await call('/addresses', { forwardToId })
    await app.send({ to: address, subject: 'in' })
    await app.settled()
    await call('/emails', { fromAddressId: id, to: 'bob@elsewhere.example', subject: 'out', body: 'out' })
    await app.settled()
    const [requests, connections] = [endpoint.deliveries.length, receiver.connections]
    expect(requests).to.equal(1)
    expect(connections).to.be.greaterThan(1)

    delete receiver.replies.rcpt
    const removeRows = await deleteButKeepRows(app, 'leaver@example.org')
    await app.advance({ hours: 3 })
    expect(receiver.mails.map(({ recipient }) => recipient)).to.deep.equal([])
    expect([endpoint.deliveries.length, receiver.connections]).to.deep.equal([requests, connections])
    await removeRows()
    expect([await countRows(app, 'deliveries'), await countRows(app, 'webhook_deliveries'), await countRows(app, 'messages')]).to.deep.equal([0, 0, 0])
  })

  it('ends the link in a verification mail', async () => {
    await using app = await openTestApp()
    const key = await app.newKey({ account: (await createAccount(app, 'leaver@example.org')).id })
    await app.api('POST', '/forwarding-addresses', { key, body: { email: 'ada@forward.example' } })
    const link = await capturedLink(app, 'ada@forward.example')
    const unknown = (await visit(app, link.replace(/token=.{9}/, 'token=123456789'))).title
    expect((await visit(app, link)).title).to.not.equal(unknown)
    await deleteButKeepRows(app, 'leaver@example.org')
    expect((await visit(app, link)).title).to.equal(unknown)
    expect((await press(app, link)).title).to.equal(unknown)
  })
})

describe('Account deletion: domains and postmaster', () => {
  it('frees its verified domains for other accounts at once', async () => {
    await using world = await openDomainsWorld()
    const { app } = world
    const key = await app.newKey({ account: (await createAccount(app, 'leaver@example.org')).id })
    await world.hold('held.example', key)
    await app.api('POST', '/addresses', { key, body: { domain: 'held.example', alias: 'info' } })
    await world.offer('info@held.example', 250)
    await deleteButKeepRows(app, 'leaver@example.org')
    await world.offer('info@held.example', 550)
    await world.offer('postmaster@held.example', 550)
    await world.hold('held.example')
    await world.offer('info@held.example', 550)
    expect((await app.api('POST', '/addresses', { body: { domain: 'held.example', alias: 'info' } })).status).to.equal(201)
    await world.offer('info@held.example', 250)
  })

  it('of the owner account leaves the mailbox of the postmaster to the next owner account', async () => {
    await using app = await openTestApp()
    const offer = (code: number) => playSession(app.smtp, [hello, from, ['RCPT TO:<postmaster>', code]])
    const owner = 'owner@mail.localhost'
    await createAccount(app, owner)
    await offer(250)
    const removeRows = await deleteButKeepRows(app, owner)
    await offer(550)
    const key = await app.newKey({ account: (await createAccount(app, owner)).id })
    await offer(250)
    await removeRows()
    await offer(250)
    expect((await app.api('GET', '/addresses', { key })).body.data.total).to.equal(1)
  })
})
