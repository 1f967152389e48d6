import { expect } from 'chai'
import { exampleRequest, allOperations } from '../contract/requests.ts'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { ApiAnswer, TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { signIn } from '../support/sessions.ts'
import type { TestSession } from '../support/sessions.ts'
import { deleteAccount, emailOfAccount } from '../support/store/accounts.ts'
import { countRows, rowsOf } from '../support/store/rows.ts'

const refused = { error: 'This link is unknown, was ended, or has expired. Ask for a new one.', code: 'INVALID_API_KEY' }
const hourMs = 3_600_000

interface Shared {
  session: TestSession
  /** The address that is shared. */
  id: string
  address: string
  link: { id: string, createdAt: string, expiresAt: string, url: string }
  token: string
  /** Reads with the token of the link. */
  read(path: string): Promise<ApiAnswer>
}

const tokenOf = (url: string) => url.split('#')[1]!
const reader = (app: TestApp, token: string) => (path: string) =>
  app.api('GET', `/shared${path}`, { key: null, headers: { authorization: `Bearer ${token}` } })

async function share(app: TestApp, hours = 24, input: Record<string, unknown> = {}): Promise<Shared> {
  const session = await signIn(app, { email: await emailOfAccount(app, app.account) })
  const { id, address } = await app.newAddress(input)
  const link = (await session.api('POST', `/addresses/${id}/share-links`, { body: { hours } })).body.data
  const token = tokenOf(link.url)
  return { session, id, address, link, token, read: reader(app, token) }
}

describe('Share link', () => {
  const newAccount = shareTestApp()

  it('asks for no faults, which are those of its account', async () => {
    const app = await newAccount()
    const { token } = await share(app)
    const headers = { 'authorization': `Bearer ${token}`, 'X-Mayfly-Fault': 'delay=1' }
    const { status, body } = await app.api('GET', '/shared', { key: null, headers })
    expect([status, body.error]).to.deep.equal([400, 'header.X-Mayfly-Fault: works with test keys only.'])
  })

  it('reads the received mail of its address, newest first, and its files', async () => {
    const app = await newAccount()
    const { id, address, link, read } = await share(app)
    await app.send({ to: address, subject: 'First', text: 'Your code is 482913.' })
    await app.settled()
    await app.send({ to: address, subject: 'Second', html: '<p>Hello</p>', attachments: [{ filename: 'a.txt', content: 'a file' }] })
    await app.settled()
    expect((await read('')).body).to.deep.equal({ data: { address, expiresAt: link.expiresAt } })
    const { data, hasMore } = (await read('/emails?limit=1')).body
    expect([data.length, data[0].subject, data[0].hasAttachments, hasMore]).to.deep.equal([1, 'Second', true, true])
    const older = (await read(`/emails?before=${data[0].id}`)).body
    expect([older.data.map(({ subject }: { subject: string }) => subject), older.hasMore]).to.deep.equal([['First'], false])
    expect(older.data[0].codes).to.deep.equal(['482913'])
    const email = (await read(`/emails/${data[0].id}`)).body.data
    expect(email.bodyHtml).to.include('<p>Hello</p>')
    expect((await read(`/emails/${email.id}/attachments/${email.attachments[0].id}`)).body.toString()).to.equal('a file')
    const [newest] = await app.listEmails({ address_id: id })
    expect(newest!.isRead, 'a reading of others is no mark of the owner').to.equal(false)
  })

  it('shows nothing that only the owner knows', async () => {
    const app = await newAccount()
    const { address, read, session } = await share(app)
    await app.send({ to: address, subject: 'A mail', text: 'text' })
    await app.settled()
    const { data: [item] } = (await read('/emails')).body
    const email = (await read(`/emails/${item.id}`)).body.data
    expect(Object.keys(item).sort()).to.deep.equal(['codes', 'from', 'fromName', 'hasAttachments', 'id', 'preview', 'receivedAt', 'subject'])
    expect(Object.keys(email).sort()).to.deep.equal(
      ['attachments', 'bodyHtml', 'bodyText', 'codeDetails', 'codes', 'from', 'fromName', 'id', 'links', 'receivedAt', 'subject', 'to', 'warnings'])
    expect(JSON.stringify([item, email, (await read('')).body])).to.not.include(session.email).and.not.include(app.account)
  })

  it('answers any other email with 404: of another address, sent, deleted, of another account, unknown', async () => {
    const app = await newAccount()
    const { id, address, read, session } = await share(app)
    const other = await app.newAddress()
    const mailOf = async (to: { id: string, address: string }) => {
      await app.send({ to: to.address, subject: 'private', text: 'private', attachments: [{ filename: 'a.txt', content: 'private' }] })
      return app.onlyEmail(to.id)
    }
    const stranger = await share(await newAccount())
    const foreign = [await mailOf(other)]
    const deleted = await mailOf({ id, address })
    await app.api('DELETE', `/emails/${deleted.id}`)
    const sent = (await app.api('POST', '/emails', { body: { fromAddressId: id, to: 'ada@example.com', subject: 's', body: 'b' } })).body.data.id
    await app.settled()
    expect((await read('/emails')).body.data).to.deep.equal([])
    for (const emailId of [...foreign.map((email) => email.id), deleted.id, sent, id, '019c0000-0000-7000-8000-000000000000']) {
      const { status, body } = await read(`/emails/${emailId}`)
      expect([status, body.error]).to.deep.equal([404, 'There is no email with this id.'])
    }
    for (const { id: emailId, attachments: [file] } of [...foreign, deleted]) {
      expect((await read(`/emails/${emailId}/attachments/${file!.id}`)).status).to.equal(404)
      expect((await stranger.read(`/emails/${emailId}`)).status).to.equal(404)
    }
    expect((await session.api('GET', `/emails/${sent}`)).status).to.equal(200)
  })

  it('is refused by every operation but those of the shared inbox, which take nothing else', async () => {
    const app = await newAccount()
    const { token, session, id } = await share(app)
    const own = allOperations.filter(({ isShared }) => isShared).map(({ operationId }) => operationId)
    expect(own).to.deep.equal(['sharedInbox.get', 'sharedInbox.listEmails', 'sharedInbox.getEmail', 'sharedInbox.attachment'])
    const ask = async (operation: (typeof allOperations)[number], headers: Record<string, string>) =>
      (await rawRequest(app.url, exampleRequest(operation, headers, () => id))).status
    for (const operation of allOperations) {
      const { operationId, isShared, isPublic } = operation
      if (isPublic) continue
      expect(await ask(operation, { authorization: `Bearer ${token}` }), operationId).to.satisfy((status: number) => isShared ? status !== 401 : status === 401)
      if (!isShared) continue
      for (const headers of [{}, { authorization: `Bearer ${app.key}` }, { 'cookie': session.cookie, 'sec-fetch-site': 'same-origin' }]) {
        expect(await ask(operation, headers as Record<string, string>), operationId).to.equal(401)
      }
    }
  })

  it('ends at its time, and with its address at the latest', async () => {
    const app = await newAccount()
    const long = await share(app, 168, { expiresIn: 7_200 })
    const [made, ends] = [Date.parse(long.link.createdAt), Date.parse(long.link.expiresAt)]
    expect(ends - made).to.equal(2 * hourMs)
    const { body } = await long.session.api('POST', `/addresses/${long.id}/share-links`, { body: { hours: 1 } })
    const short = reader(app, tokenOf(body.data.url))
    await app.advance({ minutes: 59 })
    expect([(await short('')).status, (await long.read('')).status]).to.deep.equal([200, 200])
    await app.advance({ minutes: 1 })
    expect([(await short('')).body, (await long.read('')).status]).to.deep.equal([refused, 200])
    await app.advance({ minutes: 60 })
    expect((await long.read('')).body).to.deep.equal(refused)
    const late = await long.session.api('POST', `/addresses/${long.id}/share-links`, { body: { hours: 1 } })
    expect([late.status, late.body.error]).to.deep.equal([409, 'The address has expired, so its inbox cannot be shared.'])
  })

  it('is refused once it is ended, its address is deleted, or its account is deleted', async () => {
    await using app = await openTestApp()
    const [ended, removed, left] = [await share(app), await share(app), await share(app)]
    expect((await ended.session.api('DELETE', `/share-links/${ended.link.id}`)).body.message).to.equal('The link has ended.')
    expect((await ended.session.api('DELETE', `/share-links/${ended.link.id}`)).status).to.equal(404)
    await app.api('DELETE', `/addresses/${removed.id}`)
    for (const path of ['', '/emails', `/emails/${ended.id}`]) {
      for (const { read } of [ended, removed]) expect((await read(path)).body).to.deep.equal(refused)
    }
    expect((await left.read('')).status).to.equal(200)
    await deleteAccount(app, left.session.email)
    expect((await left.read('')).body).to.deep.equal(refused)
    await app.settled()
    expect(await countRows(app, 'share_links')).to.equal(0)
  })

  it('is listed without its URL while it works, and for its account and mode alone', async () => {
    const app = await newAccount()
    const { id, session, link } = await share(app)
    const { url, ...shown } = link
    expect(url).to.match(/^http:\/\/localhost:\d+\/shared#[\w-]{43}$/)
    expect((await session.api('GET', `/addresses/${id}/share-links`)).body).to.deep.equal({ data: [shown] })
    const stranger = await signIn(app)
    for (const [by, headers] of [[stranger, {}], [session, { 'x-mayfly-mode': 'test' }]] as const) {
      expect((await by.api('GET', `/addresses/${id}/share-links`, { headers })).status).to.equal(404)
      expect((await by.api('POST', `/addresses/${id}/share-links`, { body: { hours: 1 }, headers })).status).to.equal(404)
      expect((await by.api('DELETE', `/share-links/${link.id}`, { headers })).status).to.equal(404)
    }
    await app.advance({ hours: 24 })
    expect((await session.api('GET', `/addresses/${id}/share-links`)).body).to.deep.equal({ data: [] })
  })

  it('has its token in one answer alone, and as a hash in the database', async () => {
    const app = await newAccount()
    const { id, session } = await share(app)
    const create = () => session.api('POST', `/addresses/${id}/share-links`, { body: { hours: 2 }, headers: { 'idempotency-key': 'once' } })
    const first = (await create()).body
    const { url, ...repeated } = first.data
    expect((await create()).body).to.deep.equal({ ...first, data: repeated })
    for (const table of ['share_links', 'idempotency_keys', 'audit_logs'] as const) {
      expect(JSON.stringify(await rowsOf(app, table)), table).to.not.include(tokenOf(url))
    }
  })

  it('is one of ten of its address; ended ones make room', async () => {
    const app = await newAccount()
    const { id, session } = await share(app, 1)
    const create = () => session.api('POST', `/addresses/${id}/share-links`, { body: { hours: 1 } })
    const statuses = []
    for (let i = 0; i < 10; i++) statuses.push((await create()).status)
    expect(statuses).to.deep.equal([...Array.from({ length: 9 }, () => 201), 409])
    await app.advance({ hours: 1 })
    expect((await create()).status).to.equal(201)
    expect((await rowsOf(app, 'share_links')).filter(({ addressId }) => addressId === id)).to.have.length(1)
  })

  it('has a rate limit apart from that of keys, and wrong tokens count for their network', async () => {
    await using app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '10' } })
    const { read } = await share(app)
    const statusesOf = async (ask: () => Promise<ApiAnswer>) => {
      const statuses = []
      for (let i = 0; i < 11; i++) statuses.push((await ask()).status)
      return [statuses[0], statuses.at(-1)]
    }
    expect(await statusesOf(() => read(''))).to.deep.equal([200, 429])
    expect((await app.api('GET', '/addresses')).status).to.equal(200)
    await app.advance({ minutes: 1 })
    expect(await statusesOf(() => reader(app, 'x'.repeat(43))(''))).to.deep.equal([401, 429])
    expect((await read('')).status).to.equal(200)
  })

  it('has its reads in the audit log, a record a minute', async () => {
    const app = await newAccount()
    const { id, read, session } = await share(app)
    for (let i = 0; i < 3; i++) await read('/emails')
    await app.advance({ minutes: 1 })
    const { data } = (await session.api('GET', '/audit-logs?action=sharedInbox.listEmails')).body
    expect(data).to.have.length(1)
    expect(data[0]).to.include({ resourceId: id, count: 3, apiKeyId: null, sessionId: null, path: '/api/v1/shared/emails' })
  })
})
