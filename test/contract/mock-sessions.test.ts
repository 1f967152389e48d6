import { expect } from 'chai'
import type { OpenAPIV3_1 } from 'openapi-types'
import { openMock } from '../support/mock.ts'
import type { Mock } from '../support/mock.ts'
import { rawRequest } from '../support/raw-request.ts'
import { allOperations, bearer, exampleRequest } from './requests.ts'

const dashboardOperations = allOperations.filter(({ audience, isShared }) => audience === 'dashboard' && !isShared)
const invalidSession = { error: 'The session is missing, has expired or was ended. Sign in to the dashboard again.', code: 'INVALID_API_KEY' }

describe('Mock: sessions', () => {
  let mock: Mock
  before(async () => { mock = await openMock() })
  after(() => mock[Symbol.asyncDispose]())

  for (const operation of dashboardOperations) {
    it(`${operation.operationId} answers its first example with a session of either name`, async () => {
      const { content } = operation.definition.responses![operation.status] as OpenAPIV3_1.ResponseObject
      const [example] = Object.values(content!['application/json']!.examples!) as OpenAPIV3_1.ExampleObject[]
      for (const cookie of ['mayfly=any', 'other=1; __Host-mayfly=any']) {
        const { status, json } = await rawRequest(mock.url, exampleRequest(operation, { cookie }))
        expect([status, Object.keys(json)]).to.deep.equal([operation.status, Object.keys(example!.value as object)])
      }
    })

    if (operation.isPublic) continue
    it(`${operation.operationId} refuses a request without a session, and with a key`, async () => {
      for (const headers of [{}, bearer('svc_live_any'), { ...bearer('svc_live_any'), cookie: 'mayfly=any' }]) {
        const { status, json } = await rawRequest(mock.url, exampleRequest(operation, headers))
        expect([status, json]).to.deep.equal([401, invalidSession])
      }
    })
  }

  for (const operation of allOperations.filter(({ isShared }) => isShared)) {
    it(`${operation.operationId} is called with the token of a share link alone`, async () => {
      expect((await rawRequest(mock.url, exampleRequest(operation, bearer('any')))).status).to.equal(200)
      const { status, json } = await rawRequest(mock.url, exampleRequest(operation, { cookie: 'mayfly=any' }))
      expect([status, json.error]).to.deep.equal([401, 'This link is unknown, was ended, or has expired. Ask for a new one.'])
    })
  }

  it('are accepted by operations of the API, with the mode of the header', async () => {
    const call = (headers: Record<string, string>) => rawRequest(mock.url, { path: '/api/v1/addresses', headers: { cookie: 'mayfly=any', ...headers } })
    expect((await call({})).status).to.equal(200)
    expect((await call({ 'x-mayfly-mode': 'test', 'x-mayfly-fault': 'status=500' })).status).to.equal(500)
    expect((await call({ 'x-mayfly-fault': 'status=500' })).json.error).to.equal('header.X-Mayfly-Fault: works with test keys only.')
    expect((await call({ 'x-mayfly-mode': 'both' })).json.error).to.equal('header.X-Mayfly-Mode: must be live or test.')
  })

  it('begin with a cookie that the mock accepts', async () => {
    const operation = dashboardOperations.find(({ operationId }) => operationId === 'sessions.create')!
    const { headers } = await rawRequest(mock.url, exampleRequest(operation, {}))
    const [cookie, ...attributes] = headers['set-cookie']![0]!.split('; ')
    expect(attributes).to.deep.equal(['Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Lax'])
    expect((await rawRequest(mock.url, { path: '/api/v1/account', headers: { cookie: cookie! } })).status).to.equal(200)
  })

  it('end with the removal of the cookie', async () => {
    const { headers } = await rawRequest(mock.url, { method: 'DELETE', path: '/api/v1/sessions', headers: { cookie: 'mayfly=any' } })
    expect(headers['set-cookie']).to.deep.equal(['mayfly=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
  })

  it('make keys with the requested name, scopes and mode, whose value is shown once', async () => {
    const create = () => rawRequest(mock.url, {
      method: 'POST', path: '/api/v1/api-keys', headers: { 'cookie': 'mayfly=any', 'content-type': 'application/json', 'idempotency-key': 'once' },
      body: JSON.stringify({ name: ' laptop ', scopes: ['emails:read'], mode: 'test' }),
    })
    const { key, ...shown } = (await create()).json.data
    expect(shown).to.deep.include({ name: 'laptop', scopes: ['emails:read'], mode: 'test', prefix: key.slice(0, 13) })
    expect(key).to.match(/^svc_test_\w{33}$/)
    const { createdAt, ...repeated } = (await create()).json.data
    expect({ ...repeated, createdAt }).to.deep.equal(shown)
  })

  it('invite and change the member of the request', async () => {
    const call = (method: string, path: string, body?: object) => rawRequest(mock.url, {
      method, path: `/api/v1/members${path}`, body: body && JSON.stringify(body),
      headers: { 'cookie': 'mayfly=any', 'content-type': 'application/json', 'idempotency-key': method },
    })
    const invite = async () => (await call('POST', '', { email: 'Linus@Example.com', role: 'owner' })).json.data
    const { invitationUrl, ...invited } = await invite()
    expect(invited).to.include({ email: 'linus@example.com', role: 'owner', state: 'invited' })
    expect(invitationUrl).to.match(/\/sign-in#[\w-]{43}$/)
    expect(await invite()).to.not.have.property('invitationUrl')
    const { data: [, grace] } = (await rawRequest(mock.url, { path: '/api/v1/members', headers: { cookie: 'mayfly=any' } })).json
    expect((await call('PATCH', `/${grace.id}`, { role: 'viewer' })).json.data).to.deep.equal({ ...grace, role: 'viewer' })
  })

  it('refuse input in the words of the server', async () => {
    for (const [path, body, error] of [
      ['/api-keys', { name: ' ', scopes: ['emails:read'] }, 'body.name: must not be blank.'],
      ['/members', { email: 'ada', role: 'viewer' }, 'body.email: must be exactly one email address, such as ada@example.com.'],
      ['/sign-in-links', { email: 'nobody' }, 'body.email: must be exactly one email address, such as ada@example.com.'],
    ] as const) {
      const headers = { 'cookie': 'mayfly=any', 'content-type': 'application/json' }
      const answer = await rawRequest(mock.url, { method: 'POST', path: `/api/v1${path}`, headers, body: JSON.stringify(body) })
      expect([answer.status, answer.json.error]).to.deep.equal([400, error])
    }
  })
})
