import { expect } from 'chai'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { exampleNow } from '../../cli/mock/shift-times.ts'
import { openMock } from '../support/mock.ts'
import type { Mock } from '../support/mock.ts'
import { rawRequest } from '../support/raw-request.ts'
import { ask as askFor, bodyOf, examplesOf } from './document-examples.ts'
import { exampleBodies, fillPath, operations } from './requests.ts'

const headers = { authorization: 'Bearer svc_test_mock' }
const unknownId = '019c0000-0000-7000-8000-000000000000'
const [sentId, newsId] = ['019ceb98-1b9a-7099-8580-6b0d6f03675a', '019ceb93-e10d-70ed-ba38-36f681e74ef5']
const [exampleAddress, expiredAddress] = ['019ceb92-ea80-752e-bca9-6513269e0d37', '019cd827-9a40-7a6a-8317-d23f128b2f33']
const disabledWebhook = '019c4d97-7ee0-74ef-a3db-ae97d0eda82f'

describe('Mock: answers agree with their requests', () => {
  let mock: Mock
  before(async () => { mock = await openMock() })
  after(() => mock?.[Symbol.asyncDispose]())

  const ask = (path: string, more: Record<string, string> = {}) => rawRequest(mock.url, { path: `/api/v1${path}`, headers: { ...headers, ...more } })
  const change = (method: string, path: string, body: unknown) =>
    rawRequest(mock.url, { method, path: `/api/v1${path}`, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) })

  it('every member that the request and the answer share has the same value in both, in every operation', async () => {
    const lowered = (value: unknown) => JSON.stringify(value).toLowerCase()
    let shared = 0
    for (const operation of operations) {
      for (const body of exampleBodies(operation) as Record<string, unknown>[]) {
        const { data } = bodyOf(await askFor(mock.url, operation, { body })) as { data: Record<string, unknown> }
        for (const name of Object.keys(body).filter((name) => name in data)) {
          expect(lowered(data[name]), `${operation.operationId} ${JSON.stringify(body)}`).to.equal(lowered(body[name]))
          shared++
        }
      }
    }
    expect(shared).to.be.above(10)
  })

  it('every list applies limit and offset', async () => {
    const lists = operations.filter(({ definition }) => JSON.stringify(definition.parameters ?? []).includes('Offset'))
    expect(lists.map(({ operationId }) => operationId)).to.include.members(['addresses.list', 'emails.list', 'auditLogs.list', 'webhooks.deliveries'])
    for (const operation of lists) {
      const path = fillPath(operation, () => unknownId).replace('/api/v1', '')
      const [whole, page] = await Promise.all([path, `${path}?limit=1&offset=1`].map(async (path) => {
        const { json } = await ask(path)
        return Array.isArray(json.data) ? { ...json, items: json.data } : { ...json.data, items: json.data.addresses }
      }))
      expect(page, operation.operationId).to.include({ limit: 1, offset: 1, total: whole.total })
      expect(page.items, operation.operationId).to.deep.equal(whole.items.slice(1, 2))
      if ('hasMore' in page) expect(page.hasMore, operation.operationId).to.equal(whole.total > 2)
    }
  })

  it('each item of a list equals the resource with its id', async () => {
    for (const [list, path] of [
      ['/emails', '/emails'], ['/addresses', '/addresses'], ['/forwarding-addresses', '/forwarding-addresses'], ['/webhooks', '/webhooks'],
    ] as const) {
      const { data } = (await ask(list)).json
      for (const item of data.addresses ?? data) {
        const whole = (await ask(`${path}/${item.id}`)).json.data
        const shared = Object.keys(item).filter((name) => name in whole)
        expect(Object.fromEntries(shared.map((name) => [name, whole[name]])), `${path}/${item.id}`)
          .to.deep.equal(Object.fromEntries(shared.map((name) => [name, item[name]])))
      }
    }
  })

  it('a request for an unknown id is answered with the first example, under that id', async () => {
    expect((await ask(`/emails/${unknownId}`)).json.data).to.include({ id: unknownId, subject: '482913 is your confirmation code' })
    expect((await ask(`/emails/${unknownId}`, { prefer: 'example=arabic' })).json.data).to.include({ id: unknownId, fromName: 'متجر السوق' })
    const emails = (await ask(`/emails?address_id=${unknownId}`)).json.data as { addressId: string }[]
    expect(emails.map(({ addressId }) => addressId)).to.deep.equal([unknownId, unknownId, unknownId])
    expect((await ask(`/emails?address_id=${expiredAddress}`)).json).to.include({ total: 0, hasMore: false })
    expect((await ask(`/emails?address_id=${exampleAddress}`)).json.total).to.equal(3)
  })

  it('address_id and addressId mean the same, in a list and in a wait', async () => {
    for (const path of ['/emails', '/emails/wait']) {
      for (const name of ['address_id', 'addressId']) {
        const { data } = (await ask(`${path}?${name}=${unknownId}`)).json
        expect([data].flat()[0].addressId, `${path} ${name}`).to.equal(unknownId)
      }
      const { status, json } = await ask(`${path}?address_id=${unknownId}&addressId=${exampleAddress}`)
      expect([status, json.details?.[0].path], path).to.deep.equal([400, 'query.addressId'])
    }
    expect((await ask(`/emails/wait?addressId=${expiredAddress}&timeout=0`)).status).to.equal(204)
  })

  it('the source of an email has its content', async () => {
    expect((await ask(`/emails/${newsId}/raw`)).text).to.equal([
      'From: news@example.org', 'To: checkout-test+news@mail.localhost', 'Subject: Three things to read in March',
      'Message-ID: <march.2026@example.org>', 'MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8', '',
      'Hello,', 'here is what we liked this month.', '',
    ].join('\r\n'))
    expect((await ask(`/emails/${unknownId}/raw`)).text).to.include('Subject: 482913 is your confirmation code\r\n')
  })

  it('a repeated parameter is refused with 400', async () => {
    expect((await ask('/emails/wait?after=a&after=b&timeout=0')).status).to.equal(400)
    expect((await ask('/emails?limit=1&limit=2')).status).to.equal(400)
  })

  it('isRead and isStarred change on the email of the path', async () => {
    expect((await change('PATCH', `/emails/${sentId}`, { isRead: false })).json.data).to.include({ id: sentId, type: 'sent', isRead: false })
    expect((await change('PATCH', `/emails/${newsId}`, { isStarred: false })).json.data).to.include({ id: newsId, isRead: true, isStarred: false })
  })

  it('a rule and a new address have the forwarding address of the request', async () => {
    const [{ id: grace }, { id: ada }] = (await ask('/forwarding-addresses')).json.data.addresses
    const address = (await change('POST', '/addresses', { domain: 'Inbox.Example.com', alias: 'box', forwardToId: grace })).json.data
    expect(address).to.deep.include({
      address: 'box@inbox.example.com', forwarding: { forwardToId: grace, forwardToEmail: 'grace@example.com', isActive: true },
    })
    const rule = (body: object) => change('PATCH', `/addresses/${exampleAddress}/forwarding`, body).then(({ json }) => json.data)
    expect(await rule({ forwardToId: ada, filterSubject: 'code' })).to.include({ forwardToEmail: 'ada@example.com', filterSubject: 'code', isActive: true })
    expect(await rule({ forwardToId: null })).to.include({ forwardToId: null, forwardToEmail: null, isActive: false })
    expect((await rawRequest(mock.url, { method: 'POST', path: `/api/v1/forwarding-addresses/${ada}/resend-verification`, headers })).json.message)
      .to.equal('A verification email is on its way to ada@example.com.')
  })

  for (const dialect of ['primary', 'classic'] as const) it(`a webhook has the form of the request, in the ${dialect} dialect`, async () => {
    await using own = await openMock({ dialect })
    const call = async (method: string, path: string, body?: unknown) => {
      const { status, json } = await rawRequest(own.url, {
        method, path: `/api/v1/webhooks${path}`, body: body === undefined ? undefined : JSON.stringify(body),
        headers: { ...headers, ...body !== undefined && { 'content-type': 'application/json' } },
      })
      if (dialect === 'classic') expect(json.success, `${method} ${path}`).to.equal(status < 400)
      return { status, data: json.data }
    }
    const url = 'https://hooks.example.com/forms'
    const listed = (await call('GET', '')).data as { id: string, form: string }[]
    expect(listed.map(({ form }) => form)).to.deep.equal(['both', 'a'])
    for (const { id, form } of listed) {
      if (dialect === 'classic') expect(id).to.match(/^wh_/)
      expect((await call('GET', `/${id}`)).data).to.include({ id, form })
      expect((await call('PATCH', `/${id}`, { url })).data).to.include({ id, url, form })
      for (const changed of ['a', 'b', 'both']) expect((await call('PATCH', `/${id}`, { form: changed })).data).to.include({ id, form: changed })
      expect((await call('PATCH', `/${id}`, { form: 'c' })).status).to.equal(400)
    }
    for (const form of ['a', 'b', 'both', undefined]) {
      const { status, data } = await call('POST', '', { url, events: ['email.received'], form })
      expect([status, data.form, data.dialect]).to.deep.equal([201, form ?? 'both', dialect])
    }
    expect((await call('POST', '', { url, events: ['email.received'], form: 'c' })).status).to.equal(400)
  })

  it('the verification of a domain names it, and a webhook has its own deliveries', async () => {
    const [, verified] = (await ask('/domains')).json.data
    const { data, message } = (await rawRequest(mock.url, { method: 'POST', path: `/api/v1/domains/${verified.id}/verify`, headers })).json
    expect([data.id, data.domain, data.dnsRecords.mx.host, message])
      .to.deep.equal([verified.id, 'inbox.example.com', 'inbox.example.com', 'inbox.example.com is verified.'])
    const deliveries = (await ask(`/webhooks/${disabledWebhook}/deliveries?limit=2`)).json
    expect(deliveries.data.map(({ attempt }: { attempt: number }) => attempt)).to.deep.equal([5, 4])
    expect(deliveries).to.include({ total: 5, limit: 2, hasMore: true })
    const again = await rawRequest(mock.url, {
      method: 'POST', path: `/api/v1/webhooks/${disabledWebhook}/deliveries/${deliveries.data[0].id}/redeliver`, headers,
    })
    expect(again.json.data.eventId).to.equal(deliveries.data[0].eventId)
    expect(again.json.data.id).not.to.equal(deliveries.data[0].id)
  })

  it('a refusal names the scope or the kind of resource of the operation', async () => {
    expect((await ask('/webhooks', { prefer: 'code=403' })).json.error).to.include('webhooks:manage')
    expect((await ask(`/emails/${unknownId}`, { prefer: 'code=404' })).json.error).to.equal('There is no email with this id.')
    expect((await ask(`/webhooks/${unknownId}`, { prefer: 'code=404' })).json.error).to.equal('There is no webhook with this id.')
    const limited = await ask('/emails', { prefer: 'code=429' })
    expect(Number(limited.headers['x-ratelimit-reset']) - Date.now() / 1000).to.be.within(Number(limited.headers['retry-after']) - 5, 43)
  })

  it('a preferred example with its own page is returned unchanged, and other lists in the requested pages', async () => {
    expect((await ask('/emails?limit=50', { prefer: 'example=first-page' })).json).to.include({ total: 5, limit: 2, hasMore: true })
    expect((await ask('/emails?limit=1&type=sent', { prefer: 'example=arabic' })).json).to.include({ total: 1, limit: 1, hasMore: false })
  })

  it('a wait without a matching email is not answered at once', async () => {
    const waiting = ask(`/emails/wait?subject=invoice&timeout=60`)
    let isOver = false
    void waiting.then(() => { isOver = true }, () => { isOver = true })
    await ask('/emails') // an answer without a wait would arrive before this one
    await ask('/emails')
    expect(isOver).to.equal(false)
    await mock[Symbol.asyncDispose]()
    await waiting.catch(() => {})
    mock = await openMock()
  })

  it('the event stream stays open, and resumes after Last-Event-ID', async () => {
    const { text: all } = await ask('/events')
    const [opening, id] = [...all.matchAll(/^id: (.+)$/mg)].map(([, id]) => id!)
    const events = request(`${mock.url}/api/v1/events`, { headers: { ...headers, 'last-event-id': id } }).end()
    const [answer] = await once(events, 'response') as [IncomingMessage]
    const [text] = await once(answer.setEncoding('utf8'), 'data') as [string]
    expect(text).to.equal(`: connected\nretry: 1000\nid: ${id}\n\n`)
    expect(answer.complete).to.equal(false)
    events.destroy()
    const { text: before } = await ask('/events', { 'last-event-id': opening! })
    const { createdAt, timestamp, data } = JSON.parse(/^data: (.*)$/m.exec(before)![1]!)
    expect(before).to.include(`id: ${id}\n`)
    expect(Date.parse(createdAt)).to.equal(timestamp)
    expect((await ask(`/emails/${data.emailId}`)).json.data).to.include({ subject: data.subject, receivedAt: data.receivedAt })
  })
})

describe('Mock: times of the examples', () => {
  it('are consistent with one current time', () => {
    const present = Date.parse(exampleNow)
    const past = /^(?:created|received|sent|verified|disabled|lastEmail)At$/
    for (const operation of operations) {
      for (const { name, value } of examplesOf(operation)) {
        walk(value, (thing) => {
          const where = `${operation.operationId} ${name} ${String(thing['id'])}`
          for (const [member, time] of Object.entries(thing)) {
            if (past.test(member) && time !== null) expect(Date.parse(time as string), where).to.be.at.most(present)
          }
          if ('isActive' in thing && 'expiresAt' in thing) expect(Date.parse(thing['expiresAt'] as string) > present, where).to.equal(thing['isActive'])
          if ('dueAt' in thing) expect(Date.parse(thing['dueAt'] as string) >= present, where).to.equal(thing['status'] === 'pending')
        })
      }
    }
  })

  it('are shifted to the current time, also when the mock runs for days, and stay the same for an hour', async () => {
    let nowMs = Date.parse('2031-07-09T21:44:10.123Z')
    await using mock = await openMock({ now: () => nowMs })
    const list = async () => (await rawRequest(mock.url, { path: '/api/v1/addresses', headers })).json.data.addresses
    const [active, expired] = await list()
    expect(active.createdAt).to.equal('2031-07-09T21:10:10.123Z')
    nowMs += 59 * 60_000
    expect(await list()).to.deep.equal([active, expired])
    nowMs += 3 * 24 * 3_600_000
    const [later, gone] = await list()
    expect(Date.parse(later.expiresAt)).to.be.above(nowMs)
    expect(Date.parse(gone.expiresAt)).to.be.below(nowMs)
    const days = await rawRequest(mock.url, { path: '/api/v1/analytics/daily?days=2', headers })
    expect(days.json.data.map(({ day }: { day: string }) => day)).to.deep.equal(['2031-07-11', '2031-07-12'])
    const { headers: { 'x-ratelimit-reset': reset } } = days
    expect(Number(reset)).to.equal(Math.ceil(nowMs / 60_000) * 60)
  })
})

function walk(value: unknown, see: (thing: Record<string, unknown>) => void) {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) see(value as Record<string, unknown>)
  for (const member of Object.values(value)) walk(member, see)
}
