import { expect } from 'chai'
import { openMock } from '../support/mock.ts'
import type { Mock } from '../support/mock.ts'
import { rawRequest } from '../support/raw-request.ts'
import { sameOrigin } from '../support/sessions.ts'

const unknownId = '019c0000-0000-7000-8000-000000000000'

describe('Mock: administration', () => {
  let mock: Mock
  before(async () => { mock = await openMock() })
  after(() => mock?.[Symbol.asyncDispose]())

  const ask = async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
    const headers = { cookie: 'mayfly=any', ...sameOrigin, ...body && { 'content-type': 'application/json' }, ...more }
    const { status, json } = await rawRequest(mock.url, { method, path: `/api/v1/admin${path}`, headers, body: body && JSON.stringify(body) })
    return { status, ...json }
  }
  const emailsOf = ({ data }: { data: { email: string }[] }) => data.map(({ email }) => email)

  it('lists the accounts that a search and a page select', async () => {
    const all = await ask('GET', '/accounts')
    expect(emailsOf(all)).to.deep.equal(['grace@example.com', 'ada@example.com'])
    expect(emailsOf(await ask('GET', '/accounts?search=ADA'))).to.deep.equal(['ada@example.com'])
    const first = await ask('GET', '/accounts?limit=1')
    expect([emailsOf(first), first.hasMore, all.hasMore]).to.deep.equal([['grace@example.com'], true, false])
    expect(emailsOf(await ask('GET', `/accounts?before=${first.data[0].id}`))).to.deep.equal(['ada@example.com'])
  })

  it('creates and changes the account of the request', async () => {
    const created = await ask('POST', '/accounts', { email: 'Linus@Example.com', plan: 'business' })
    expect([created.status, created.data.email, created.data.plan]).to.deep.equal([201, 'linus@example.com', 'business'])
    const { data: [, ada] } = await ask('GET', '/accounts')
    expect((await ask('PATCH', `/accounts/${ada.id}`, { plan: 'pro' })).data).to.deep.equal({ ...ada, plan: 'pro' })
    expect((await ask('DELETE', `/accounts/${ada.id}`)).message).to.equal('The account is deleted. Its data are being removed.')
  })

  it('shows captured mail under the id of the request', async () => {
    const { data: [mail] } = await ask('GET', '/captured-emails')
    expect((await ask('GET', `/captured-emails/${mail.id}`)).data).to.deep.equal({ ...mail, text: 'Thank you for your order.', html: null })
    expect((await ask('GET', `/captured-emails/${unknownId}`)).data.id).to.equal(unknownId)
  })

  it('refuses in the words of the server', async () => {
    const { status, details } = await ask('POST', '/accounts', { email: 'a@b.org, c@d.org', plan: 'free' })
    expect([status, details]).to.deep.equal([400, [{ path: 'body.email', message: 'must be exactly one email address, such as ada@example.com' }]])
    const absent = await ask('DELETE', `/accounts/${unknownId}`, undefined, { prefer: 'code=404' })
    expect([absent.status, absent.error]).to.deep.equal([404, 'There is no account with this id.'])
    const forbidden = await ask('GET', '/accounts', undefined, { prefer: 'example=admin-required' })
    expect([forbidden.status, forbidden.code]).to.deep.equal([403, 'MISSING_SCOPE'])
    expect((await ask('GET', '/accounts', undefined, { cookie: '' })).status).to.equal(401)
  })
})
