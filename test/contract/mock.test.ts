import { expect } from 'chai'
import { exampleNow } from '../../cli/mock/shift-times.ts'
import { openTestApp } from '../support/app.ts'
import { openMock } from '../support/mock.ts'
import type { Mock } from '../support/mock.ts'
import { rawRequest } from '../support/raw-request.ts'
import { ask, bodyOf, examplesOf, shownBy } from './document-examples.ts'
import { contracts, document, exampleBodies } from './requests.ts'

for (const contract of contracts) describe(`Mock: answers in the ${contract.dialect} dialect`, () => {
  let mock: Mock

  before(async () => { mock = await openMock({ now: () => Date.parse(exampleNow), dialect: contract.dialect }) })
  after(() => mock?.[Symbol.asyncDispose]())

  for (const operation of contract.operations) {
    describe(operation.operationId, () => {
      it('answers with the first example of its success status', async () => {
        const answer = await ask(mock.url, operation, { contract })
        const { value } = examplesOf(operation, contract).find(({ isDefault }) => isDefault)!
        expect(answer.status).to.equal(operation.status)
        // the document's example is the email before its request changes a mark
        expect(bodyOf(answer)).to.deep.equal(operation.operationId === 'emails.update' ? { ...value, data: { ...value.data, isRead: true } } : value)
      })

      it('has a valid example of every answer', async () => {
        for (const example of examplesOf(operation, contract)) {
          const answer = await ask(mock.url, operation, { prefer: `code=${example.status}, example=${example.name}`, example, contract })
          const { name, status } = example
          expect({ status: answer.status, body: bodyOf(answer) }, `${status} ${name}`).to.deep.equal({ status, body: shownBy(operation, example) })
          if (status !== 204) expect(example.faultsOf(bodyOf(answer)), `${status} ${name}`).to.deep.equal([])
        }
      })

      if (operation.definition.requestBody) it('accepts every example of a request', async () => {
        for (const body of exampleBodies(operation)) {
          expect((await ask(mock.url, operation, { body, contract })).status, JSON.stringify(body)).to.equal(operation.status)
        }
      })
    })
  }

})

describe('Mock: answers', () => {
  let mock: Mock

  before(async () => { mock = await openMock({ now: () => Date.parse(exampleNow) }) })
  after(() => mock?.[Symbol.asyncDispose]())

  it('refuses a request that does not match the document', async () => {
    const answer = await rawRequest(mock.url, { path: '/api/v1/emails?limit=1000', headers: { authorization: 'Bearer svc_test_mock' } })
    expect(answer.status).to.equal(400)
    expect(answer.json).to.include({ code: 'INVALID_REQUEST' })
  })

  it('serves the document with its own URL, and the reference', async () => {
    const get = (path: string) => fetch(mock.url + path)
    const json = await (await get('/openapi.json')).json() as { servers: { url: string }[], paths: object }
    expect([json.servers, Object.keys(json.paths).length]).to.deep.equal([[{ url: mock.url }], Object.keys(document.paths!).length])
    expect(await (await get('/openapi.yaml')).text()).to.match(/^\{\n {2}"openapi": "3\.1/)
    const page = await (await get('/docs')).text()
    const [script] = /docs\/reference-[\w-]+\.js/.exec(page)!
    expect((await get(`/${script}`)).headers.get('content-type')).to.include('text/javascript')
  })

  it('refuses what the server refuses beyond the document, in the same words', async () => {
    await using app = await openTestApp()
    const key = await app.newKey({ isTest: true })
    const id = '019ceb92-ea80-752e-bca9-6513269e0d37'
    const { data: address } = (await app.api('POST', '/addresses', { key, body: {} })).body
    const requests: [method: string, path: string, body?: unknown][] = [
      ['POST', '/addresses', { expiresIn: 31 * 86_400 }],
      ['PATCH', `/addresses/${address.id}/forwarding`, { forwardToId: null, isActive: true }],
      ['GET', `/emails?address_id=${id}&addressId=${id.replace('3', '4')}`],
      ['GET', `/emails/wait?address_id=${id}&addressId=${id.replace('3', '4')}`],
      ['POST', '/emails', { fromAddressId: address.id, to: 'ada@example.com, grace@example.com', subject: 'a', body: 'b' }],
      ['POST', '/domains', { domain: 'localhost' }],
      ['POST', '/domains', { domain: 'co.uk' }],
      ['POST', '/domains', { domain: 'a.mail.localhost' }],
      ['POST', '/forwarding-addresses', { email: 'nobody' }],
      ['POST', '/forwarding-addresses', { email: 'ada@mail.localhost' }],
      ['POST', '/test/emails', { to: address.address, raw: 'a: b', subject: 'c' }],
      ['POST', '/test/emails', { to: address.address, from: 'nobody' }],
      ['POST', '/webhooks', { url: 'http://hooks.example.com/', events: ['email.received'] }],
      ['POST', '/webhooks', { url: 'https://10.0.0.1/', events: ['email.received'] }],
      ['POST', '/webhooks', { url: 'https://hooks.example.com/', events: ['email.received'], secret: 'A'.repeat(201) }],
      ['PATCH', `/webhooks/${id}`, { url: 'https://localhost/' }],
    ]
    for (const [method, path, body] of requests) {
      const answers = await Promise.all([app.url, mock.url].map((url) => rawRequest(url, {
        method, path: `/api/v1${path}`, body: body === undefined ? undefined : JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, ...body !== undefined && { 'content-type': 'application/json' } },
      })))
      const [server, ofMock] = answers.map(({ status, json }) => ({ status, json }))
      expect(server, `${method} ${path}`).to.include({ status: 400 })
      expect(ofMock, `${method} ${path}`).to.deep.equal(server)
    }
  })

  it('refuses a request without a key', async () => {
    const answer = await rawRequest(mock.url, { path: '/api/v1/emails' })
    expect(answer.status).to.equal(401)
    expect(answer.json).to.include({ code: 'INVALID_API_KEY' })
  })

  it('refuses malformed paths and bodies, as the server does', async () => {
    const headers = { authorization: 'Bearer svc_test_mock', 'content-type': 'application/json' }
    const path = await rawRequest(mock.url, { path: '/api/v1/addresses/%E0%A4%A', headers })
    expect([path.status, path.json.details[0].path]).to.deep.equal([400, 'path.id'])
    const chunks = Array.from({ length: 40 }, () => ' '.repeat(64 * 1024))
    const long = await rawRequest(mock.url, { method: 'POST', path: '/api/v1/addresses', headers, chunks })
    expect([long.status, long.json.code]).to.deep.equal([413, 'PAYLOAD_TOO_LARGE'])
  })
})
