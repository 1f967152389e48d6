import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openWebhooksWorld } from '../webhooks/world.ts'

const classic = { 'x-mayfly-dialect': 'classic' }

describe('Dialects: the header X-Mayfly-Dialect', () => {
  let app: TestApp
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())

  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = classic) =>
    app.api(method, path, { body, headers })

  it('answers in the classic dialect', async () => {
    const created = await ask('POST', '/addresses', { alias: 'classic', expiresIn: 2 })
    expect(created.status).to.equal(201)
    const { success, data } = created.body
    expect(success).to.equal(true)
    expect(data.id).to.match(/^addr_/)
    expect(data.email).to.equal('classic@mail.localhost')
    expect(data).to.not.have.property('address')
    expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).to.equal(2 * 3600 * 1000)

    const plain = data.id.slice('addr_'.length)
    for (const headers of [classic, {}]) {
      for (const id of [data.id, plain, plain.toUpperCase(), `addr_${plain.toUpperCase()}`]) {
        expect((await ask('GET', `/addresses/${id}`, undefined, headers)).status, `${id} ${JSON.stringify(headers)}`).to.equal(200)
      }
    }

    await app.send({ to: data.email, subject: 'Hello', text: 'Your code is 482913.', attachments: [{ filename: 'a.txt', content: 'a' }] })
    await app.settled()
    const { body: list } = await ask('GET', `/emails?addressId=${data.id}`)
    expect(list).to.include({ success: true })
    expect(list.data).to.include({ total: 1, limit: 20, offset: 0, hasMore: false })
    expect(list.data.emails[0].addressId).to.equal(data.id)
    const emailId = list.data.emails[0].id
    expect(emailId).to.match(/^email_/)
    const { body: email } = await ask('GET', `/emails/${emailId}`)
    expect(email.data.attachments[0].id).to.match(/^att_/)
    expect((await ask('GET', `/emails/${emailId}/attachments/${email.data.attachments[0].id}`)).body.toString()).to.equal('a')
    expect((await ask('GET', `/emails/wait?addressId=${data.id}&after=${emailId}&timeout=0`)).status).to.equal(204)

    const { data: records } = (await ask('GET', '/audit-logs')).body
    expect(records.find(({ action }: { action: string }) => action === 'emails.list').resourceId).to.equal(data.id)

    expect((await ask('DELETE', `/emails/${emailId}`)).body).to.deep.include({ success: true, data: { deleted: true, id: emailId } })
    expect((await ask('DELETE', `/addresses/${data.id}`)).body).to.deep.include({ success: true, data: { deleted: true, id: data.id } })
  })

  it('refuses in the classic dialect, before authentication too', async () => {
    const missing = await app.api('GET', '/addresses', { key: null, headers: classic })
    expect([missing.status, missing.body.success, missing.body.error.code]).to.deep.equal([401, false, 'INVALID_API_KEY'])
    const long = await ask('POST', '/addresses', { expiresIn: 721 })
    expect([long.status, long.body.error.message]).to.deep.equal([400, 'body.expiresIn: must be <= 720.'])
    const short = await ask('POST', '/addresses', { alias: 'ab' })
    expect(short.body.error.details[0].path).to.equal('body.alias')
    const id = await ask('GET', '/addresses/x')
    expect(id.body.error.message).to.equal('path.id: must match format "addr_UUID or UUID".')
    const old = await ask('GET', '/emails?address_id=019c0000-0000-7000-8000-000000000000')
    expect(old.body.error.message).to.equal('query.address_id: is not known; leave it out.')
    expect((await ask('PUT', '/analytics')).body.error.code).to.equal('METHOD_NOT_ALLOWED')
    expect((await ask('GET', '/nothing')).body.error.code).to.equal('NOT_FOUND')
  })

  it('refuses the id of another type, in both dialects', async () => {
    const { data: { id } } = (await ask('POST', '/addresses', {})).body
    const wrong = id.replace('addr_', 'wh_')
    const mail = { to: 'ada@mail.localhost', subject: 'Hi', body: 'Hi' }
    const webhook = { url: 'https://hooks.example.com/mail', events: ['email.received'], secret: 'a secret of the test' }
    const requests: [string, string, object?][] = [
      ['GET', `/addresses/${wrong}`], ['DELETE', `/addresses/${wrong}`], ['GET', `/emails?addressId=${wrong}`], ['POST', '/emails', { ...mail, fromAddressId: wrong }],
      ['POST', '/webhooks', { ...webhook, addressIds: [wrong] }],
    ]
    for (const headers of [classic, {}]) {
      for (const [method, path, body] of requests) {
        const { status, body: answer } = await ask(method, path, body, headers)
        expect(status, `${method} ${path} ${JSON.stringify(headers)}`).to.equal(400)
        expect(JSON.stringify(answer)).to.match(/(?:path\.id|query\.addressId|body\.fromAddressId|body\.addressIds\.0): must match format/)
      }
    }
    expect((await ask('GET', `/addresses/${id}`)).status).to.equal(200)
  })

  it('refuses another name, in the dialect of the key', async () => {
    const { status, body } = await ask('GET', '/addresses', undefined, { 'x-mayfly-dialect': 'other' })
    expect([status, body]).to.deep.equal([400, {
      error: 'header.X-Mayfly-Dialect: must be one of classic, primary.', code: 'INVALID_REQUEST',
      details: [{ path: 'header.X-Mayfly-Dialect', message: 'must be one of classic, primary' }],
    }])
  })

  it('repeats a change of the other dialect', async () => {
    const key = { 'idempotency-key': 'twice' }
    const first = await ask('POST', '/addresses', { alias: 'twice', expiresIn: 1 }, { ...classic, ...key })
    const again = await ask('POST', '/addresses', { alias: 'twice', expiresIn: 3600 }, key)
    expect(again.headers.get('idempotency-replayed')).to.equal('true')
    expect(`addr_${again.body.data.id}`).to.equal(first.body.data.id)
  })

  it('has events in the dialect of their request', async () => {
    const stop = new AbortController()
    const headers = { authorization: `Bearer ${app.key}`, ...classic }
    const stream = await fetch(`${app.url}/api/v1/events`, { headers, signal: stop.signal })
    const { id } = await app.newAddress({ alias: 'followed' })
    let text = ''
    for await (const bytes of stream.body!) {
      text += Buffer.from(bytes).toString()
      if (text.includes('data: ')) break
    }
    stop.abort()
    const { data } = JSON.parse(/^data: (.*)$/m.exec(text)![1]!)
    expect(data).to.include({ addressId: `addr_${id}`, email: 'followed@mail.localhost' }).and.not.have.property('address')
  })

  it('has no effect on other requests', async () => {
    const { body } = await ask('GET', '/addresses', undefined, {})
    expect(body).to.not.have.property('success')
  })
})

describe('Dialects: a key of the classic dialect', () => {
  it('has addresses, mail and webhooks in it without a header, and in the primary one with the header', async () => {
    await using world = await openWebhooksWorld()
    const { app, endpoint } = world
    const key = await app.newKey({ account: app.account, dialect: 'classic' })
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await app.api(method, path, { body, key })
      expect(answer.body.success, `${method} ${path}`).to.equal(true)
      return answer.body.data
    }
    const webhook = await call('POST', '/webhooks', { url: endpoint.url, events: ['email.received', 'address.deleted'], form: 'a' })
    expect(webhook).to.include({ form: 'a', dialect: 'classic' })
    const { id, email, createdAt, expiresAt } = await call('POST', '/addresses', { expiresIn: 3 })
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).to.equal(3 * 3600 * 1000)

    await app.send({ to: email, subject: 'Hello', text: 'Your code is 482913.' })
    await app.settled()
    const { emails, ...page } = await call('GET', `/emails?addressId=${id}`)
    expect(page).to.include({ total: 1, limit: 20, offset: 0, hasMore: false })
    const { id: emailId, receivedAt } = emails[0]
    expect(emails[0]).to.include({ addressId: id, subject: 'Hello' })
    expect((await app.api('GET', `/emails/${emailId}`, { key, headers: { 'x-mayfly-dialect': 'primary' } })).body.data)
      .to.include({ id: emailId.replace('email_', ''), addressId: id.replace('addr_', '') })
    for (const [path, deleted] of [[`/emails/${emailId}`, emailId], [`/addresses/${id}`, id]]) {
      expect(await call('DELETE', path)).to.deep.equal({ deleted: true, id: deleted })
    }
    await app.settled()

    const timestamp = world.now()
    expect(endpoint.deliveries.map(({ body }) => JSON.parse(body))).to.deep.equal([
      { event: 'email.received', timestamp, data: { emailId, addressId: id, from: 'shop@example.org', subject: 'Hello', receivedAt } },
      { event: 'address.deleted', timestamp, data: { addressId: id, email, expiresAt } },
    ])
    expect(endpoint.deliveries.map(({ headers }) => headers['x-service-timestamp'])).to.deep.equal([String(timestamp), String(timestamp)])
  })
})
