import { expect } from 'chai'
import { shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { ownerOf } from '../support/store/accounts.ts'
import { emitted } from '../support/store/events.ts'
import { manyRows } from '../support/store/many-rows.ts'
import { stopTime } from '../support/stopped-time.ts'

const nowhere = '019c0000-0000-7000-8000-000000000000'

describe('Changes of many emails: POST /emails/actions', () => {
  const newAccount = shareTestApp()
  let app: TestApp
  let [first, second] = [{ id: '', address: '' }, { id: '', address: '' }]

  beforeEach(async () => {
    app = await newAccount()
    ;[first, second] = [await app.newAddress(), await app.newAddress()]
    for (const { address } of [first, second]) {
      for (const subject of ['news', 'code']) await app.send({ from: `${subject}@shop.example`, to: address, subject, text: 'text' })
    }
    await app.settled()
  })

  const act = (body: object, key = app.key) => app.api('POST', '/emails/actions', { key, body })
  const changed = async (body: object) => {
    const { status, body: { data } } = await act(body)
    expect([status, data.hasMore]).to.deep.equal([200, false])
    return data.changed
  }
  const counts = async ({ id }: { id: string }) => {
    const { emailCount, unreadCount } = (await app.api('GET', `/addresses/${id}`)).body.data
    return [emailCount, unreadCount]
  }
  const subjects = async (query: Record<string, string> = {}) => (await app.listEmails(query)).map(({ subject }) => subject)

  it('marks the mail of an address as read, once', async () => {
    const addressId = first.id.toUpperCase()
    expect([await changed({ action: 'markRead', addressId }), await changed({ action: 'markRead', addressId })]).to.deep.equal([2, 0])
    expect([await counts(first), await counts(second)]).to.deep.equal([[2, 0], [2, 2]])
    expect((await app.listEmails({ address_id: first.id })).map(({ isRead }) => isRead)).to.deep.equal([true, true])
  })

  it('deletes what a search finds, with an event for each, and restores it', async () => {
    const q = 'from:news is:unread'
    expect(await changed({ action: 'delete', q })).to.equal(2)
    expect(await subjects()).to.deep.equal(['code', 'code'])
    expect([await counts(first), await counts(second)]).to.deep.equal([[1, 1], [1, 1]])
    const { accountId } = await ownerOf(app)
    const deleted = (await app.listEmails({ is_deleted: 'true' })).map(({ id }) => id)
    const told = (await emitted(app, 'email.deleted')).map(({ data }) => (data as { emailId: string }).emailId)
    expect(told.filter((id) => deleted.includes(id)).sort(), accountId).to.deep.equal(deleted.sort())
    expect(await changed({ action: 'restore', q, addressId: second.id })).to.equal(1)
    expect([await counts(first), await counts(second)]).to.deep.equal([[1, 1], [2, 2]])
    expect(await changed({ action: 'restore', q })).to.equal(1)
    expect((await subjects()).sort()).to.deep.equal(['code', 'code', 'news', 'news'])
  })

  it('empties an address, and the account, of received and sent mail', async () => {
    await app.api('POST', '/emails', { body: { fromAddressId: first.id, to: 'ada@example.com', subject: 'sent', body: 'text' } })
    await app.settled()
    expect(await changed({ action: 'delete', addressId: first.id })).to.equal(3)
    expect(await subjects()).to.deep.equal(['code', 'news'])
    expect(await changed({ action: 'delete' })).to.equal(2)
    expect(await subjects()).to.deep.equal([])
    expect(await changed({ action: 'delete' })).to.equal(0)
  })

  it('changes no long mail by a word that it has beyond what a search compares', async () => {
    const long = `${'filler text '.repeat(6_000)}keepme`
    for (const text of [long, 'keepme', 'short']) await app.send({ to: first.address, subject: 'excluded', text })
    await app.settled()
    expect(await changed({ action: 'delete', q: 'excluded -keepme' })).to.equal(1)
    expect((await subjects()).filter((subject) => subject === 'excluded')).to.have.length(2)
    expect(await changed({ action: 'delete', q: 'excluded' })).to.equal(2)
  })

  it('changes no mail of another account', async () => {
    const other = await app.newKey()
    expect((await act({ action: 'delete' }, other)).body.data).to.deep.equal({ changed: 0, hasMore: false })
    expect((await act({ action: 'delete', addressId: first.id }, other)).status).to.equal(404)
    expect(await subjects()).to.have.length(4)
  })

  it('refuses an unknown address, a query that it cannot compare whole, and other actions', async () => {
    for (const [body, status, message] of [
      [{ action: 'delete', addressId: nowhere }, 404, /address/],
      [{ action: 'delete', q: 'form:news' }, 400, /^body\.q: has an unknown operator/],
      [{ action: 'delete', q: 'one two three four five six' }, 400, /^body\.q: can have 5 words at most/],
      [{ action: 'delete', q: 'news -***' }, 400, /^body\.q: excludes a text without letters and digits/],
      [{ action: 'purge' }, 400, /^body\.action/],
    ] as const) {
      const answer = await act(body)
      expect([answer.status, message.test(answer.body.error)], answer.body.error).to.deep.equal([status, true])
    }
    expect(await changed({ action: 'delete', q: '🎉' })).to.equal(0)
    expect(await subjects()).to.have.length(4)
  })

  it('needs the scope emails:read for a query', async () => {
    const writer = await app.newKey({ account: (await ownerOf(app)).accountId, scopes: ['emails:write'] })
    const refused = await act({ action: 'markRead', q: 'news' }, writer)
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'MISSING_SCOPE'])
    expect((await act({ action: 'markRead' }, writer)).body.data).to.deep.equal({ changed: 4, hasMore: false })
  })

  it('is one record in the audit log', async () => {
    await changed({ action: 'markRead' })
    const { data } = (await app.api('GET', '/audit-logs?limit=100')).body
    expect(data.filter(({ action }: { action: string }) => action === 'emails.changeAll')).to.have.length(1)
  })

  it('restores a thousand and more at once, then two a second: each may be deleted again, with an event', async function () {
    this.timeout(120_000)
    const [{ key }, other] = [await manyRows(app, 1_100), await act({ action: 'delete' })]
    using time = stopTime()
    const restore = (by = key) => act({ action: 'restore' }, by)
    const { changed: deleted } = (await act({ action: 'delete' }, key)).body.data
    expect([(await restore()).body.data.changed >= deleted, other.body.data.changed]).to.deep.equal([true, 4])
    await act({ action: 'delete' }, key)
    const { status, body: { code, error } } = await restore()
    expect([status, code]).to.deep.equal([429, 'RATE_LIMITED'])
    expect(error).to.match(/^This account has restored many emails. Try again in \d+ seconds.$/)
    expect((await restore(app.key)).body.data.changed).to.equal(4)
    time.pass(60_000)
    expect((await restore()).status).to.equal(200)
  })

  it('changes 10,000 at most, and goes on with the others', async function () {
    this.timeout(300_000)
    const { key } = await manyRows(app, 11_000) // their counters are not kept
    const present = 11_001 - Math.floor(11_000 / 16 / 5)
    const markAll = async (body: object) => (await act({ action: 'markRead', ...body }, key)).body.data
    expect(await markAll({})).to.deep.equal({ changed: 10_000, hasMore: true })
    expect(await markAll({ q: 'word' })).to.deep.equal({ changed: present - 10_000, hasMore: false })
    expect(await markAll({})).to.deep.equal({ changed: 0, hasMore: false })
  })
})
