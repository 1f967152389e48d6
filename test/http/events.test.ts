import { connect } from 'node:net'
import { expect } from 'chai'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { readEvents } from '../support/event-reader.ts'
import type { EventReader } from '../support/event-reader.ts'
import { openWaits } from '../support/open-waits.ts'
import { changePlan, createAccount, createApiKey, revokeApiKey } from '../support/store/accounts.ts'
import { emitCreated, removeEvents } from '../support/store/events.ts'

describe('Event streams: GET /events', () => {
  let app: TestApp
  let readers: EventReader[]
  const newAccount = shareTestApp()

  beforeEach(async () => {
    app = await newAccount()
    readers = []
  })
  afterEach(async () => {
    for (const reader of readers) reader.drop()
    await openWaits(app, 0)
  })

  async function follow(options: { key?: string, lastEventId?: string } = {}) {
    const { key = app.key, lastEventId } = options
    const reader = await readEvents(app.url, key, lastEventId === undefined ? {} : { 'last-event-id': lastEventId })
    readers.push(reader)
    await reader.comment(1)
    return reader
  }
  const create = async (key = app.key) => (await app.api('POST', '/addresses', { key, body: {} })).body.data as { id: string, address: string }
  const addressesOf = ({ events }: EventReader) => events.map(({ data }) => data.data.addressId as string)

  it('sends events that occur after the request, with the same data as webhooks', async () => {
    const before = await create()
    const reader = await follow()
    expect(reader.answer.statusCode).to.equal(200)
    expect(reader.answer.headers).to.include({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    expect(reader.comments).to.deep.equal(['connected'])
    const { id, address } = await create()
    await app.send({ to: address, subject: 'Grüße\n✓', text: 'x' })
    const { id: emailId, receivedAt } = await app.onlyEmail(id)
    await app.api('DELETE', `/emails/${emailId}`)
    await app.api('DELETE', `/addresses/${id}`)
    const events = await reader.until(4)
    expect(events.map(({ event }) => event)).to.deep.equal(['address.created', 'email.received', 'email.deleted', 'address.deleted'])
    for (const { event, data } of events) {
      expect(data).to.include({ type: event, event, timestamp: Date.parse(data.createdAt) })
      expect(data.data.addressId).to.equal(id).and.not.equal(before.id)
    }
    expect(events[1]!.data.data).to.deep.equal({ emailId, addressId: id, from: 'shop@example.org', subject: 'Grüße ✓', receivedAt })
  })

  it('loses and repeats no event over 20 lost connections', async () => {
    const made: string[] = []
    const seen: string[] = []
    let reader = await follow()
    let isOver = false
    const making = (async () => {
      while (!isOver) made.push((await create()).id)
    })()
    for (let i = 0; i < 20; i++) {
      await reader.until(3 + i % 4)
      reader.drop()
      await reader.ended
      seen.push(...addressesOf(reader))
      reader = await follow({ lastEventId: reader.lastId })
    }
    isOver = true
    await making
    await reader.until(made.length - seen.length)
    seen.push(...addressesOf(reader))
    expect(seen).to.deep.equal(made)
  })

  it('resumes a connection that was lost before its first event', async () => {
    const reader = await follow()
    reader.drop()
    const { id } = await create()
    const next = await follow({ lastEventId: reader.lastId })
    await next.until(1)
    expect(addressesOf(next)).to.deep.equal([id])
  })

  it('resumes past events that the server has removed', async () => {
    await create()
    const reader = await follow({ lastEventId: '0' })
    const [first] = await reader.until(1)
    await create()
    const last = await create() // it stays until there is a later one
    await removeEvents(app)
    const next = await follow({ lastEventId: first!.id })
    const { id } = await create()
    await next.until(2)
    expect(addressesOf(next)).to.deep.equal([last.id, id])
  })

  it('has ids that reveal nothing about events of other accounts', async () => {
    const other = await app.newKey()
    const [first, second] = [await follow(), await follow({ key: other })]
    const starts = [first.lastId, second.lastId, (await follow()).lastId]
    await create()
    for (let i = 0; i < 3; i++) await create(other)
    await create()
    const own = (await first.until(2)).map(({ id }) => id)
    const ids = [...starts, ...own, ...(await second.until(3)).map(({ id }) => id)]
    for (const id of ids) expect(id).to.match(/^[\w-]{22}$/)
    expect(new Set(ids).size).to.equal(ids.length) // all three streams began at the same number
    const again = await follow({ lastEventId: own[0]! })
    expect((await again.until(1)).map(({ id }) => id)).to.deep.equal([own[1]])
  })

  it('begins with the oldest stored event for a plain number as Last-Event-ID, the format of older versions', async () => {
    const { id } = await create()
    await create(await app.newKey())
    for (const lastEventId of ['0', '1', '2', '4711', '99999999']) {
      const reader = await follow({ lastEventId })
      await reader.until(1)
      expect(addressesOf(reader), lastEventId).to.deep.equal([id])
    }
  })

  it('refuses a Last-Event-ID that the server did not issue to the account', async () => {
    const other = await follow({ key: await app.newKey() })
    const own = await follow()
    const forged = `${own.lastId.startsWith('A') ? 'B' : 'A'}${own.lastId.slice(1)}`
    for (const id of ['x', '-1', '1.5', '1e3', '9'.repeat(64), '4711, 4712', forged, other.lastId, `${own.lastId}A`, 'A'.repeat(22)]) {
      const { status, body } = await app.api('GET', '/events', { headers: { 'last-event-id': id } })
      expect([status, body.details?.[0].path], id).to.deep.equal([400, 'header.Last-Event-ID'])
    }
    expect((await follow({ lastEventId: '' })).answer.statusCode).to.equal(200)
  })

  it('shows nothing of another account or of the other mode', async () => {
    const { id: account } = await createAccount(app, 'modes-events@example.org')
    const keys = [await app.newKey({ account }), await app.newKey({ account, isTest: true }), await app.newKey()]
    const live = await Promise.all(keys.map((key) => follow({ key })))
    const ids = []
    for (const key of keys) ids.push((await create(key)).id)
    const resumed = await Promise.all(keys.map((key) => follow({ key, lastEventId: '0' })))
    for (const all of [live, resumed]) {
      for (const [i, reader] of all.entries()) {
        await reader.until(1)
        expect(addressesOf(reader)).to.deep.equal([ids[i]])
      }
    }
  })

  it('sends a comment every 15 seconds', async () => {
    const reader = await follow()
    await app.advance({ seconds: 14 })
    expect(reader.comments).to.have.length(1)
    await app.advance({ seconds: 1 })
    await reader.comment(2)
    await app.advance({ seconds: 15 })
    await reader.comment(3)
  })

  it('ends when its key is revoked, and sends nothing more', async () => {
    const { id: account } = await createAccount(app, 'revoked-events@example.org')
    const other = await app.newKey({ account })
    const newKey = () => createApiKey(app, account)
    const [quiet, busy] = [await newKey(), await newKey()]
    const reader = await follow({ key: busy.key })
    await revokeApiKey(app, busy.id)
    await create(other)
    expect(await reader.ended).to.equal(true)
    expect(reader.events).to.deep.equal([])

    const idle = await follow({ key: quiet.key })
    await revokeApiKey(app, quiet.id)
    await app.advance({ seconds: 3 })
    expect(await idle.ended).to.equal(true)
    expect(await openWaits(app)).to.equal(0)
  })

  it('ends when the account loses the plan', async () => {
    const { id: account, email } = await createAccount(app, 'plan-events@example.org')
    const reader = await follow({ key: await app.newKey({ account }) })
    await changePlan(app, email, 'pro')
    await app.advance({ seconds: 3 })
    expect(await reader.ended).to.equal(true)
  })

  it('ends when the server closes', async () => {
    await using closing = await openTestApp()
    const reader = await readEvents(closing.url, closing.key)
    await reader.comment(1)
    await closing.app.close()
    expect(await reader.ended).to.equal(true)
  })

  it('ends when its reader disconnects', async () => {
    const reader = await follow()
    expect(await openWaits(app)).to.equal(1)
    reader.drop()
    await openWaits(app, 0)
  })

  it('allows an account 100 streams, and refuses the next', async () => {
    const others = await Promise.all(Array.from({ length: 100 }, () => follow()))
    const refused = await app.api('GET', '/events')
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).to.deep.equal([429, 'RATE_LIMITED', '1'])
    const { id } = await create()
    for (const reader of others) {
      await reader.until(1)
      expect(addressesOf(reader)).to.deep.equal([id])
    }
    others[0]!.drop()
    await openWaits(app, 99)
    expect((await follow()).answer.statusCode).to.equal(200)
  })

  it('keeps few events in memory for a slow reader, loses none of them, and delays no other reader', async () => {
    const { port } = new URL(app.url)
    const slow = connect({ port: Number(port), host: '127.0.0.1' })
    slow.write(`GET /api/v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.key}\r\n\r\n`)
    await openWaits(app, 1)
    const reader = await follow()
    const filler = 'x'.repeat(12_000)
    for (let i = 0; i < 40; i++) {
      await emitCreated(app, app.key, Array.from({ length: 25 }, (_, j) => ({ addressId: `${i * 25 + j}`, filler })))
    }
    const all = Array.from({ length: 1000 }, (_, i) => String(i))
    await reader.until(1000)
    expect(addressesOf(reader)).to.deep.equal(all)
    let text = ''
    slow.setEncoding('latin1').on('data', (piece: string) => { text += piece })
    while (!text.includes('"addressId":"999"', text.length - 100_000)) await new Promise((resolve) => slow.once('data', resolve))
    expect([...text.matchAll(/"addressId":"(\d+)"/g)].map(([, n]) => n)).to.deep.equal(all)
    slow.destroy()
  })
})
