import { expect } from 'chai'
import { exampleNow } from '../../cli/mock/shift-times.ts'
import { openMock } from '../support/mock.ts'
import type { Mock } from '../support/mock.ts'
import { rawRequest } from '../support/raw-request.ts'
import { ask, bodyOf, examplesOf, shownBy } from './document-examples.ts'
import { exampleBodies, operations } from './requests.ts'

describe('Mock: answers', () => {
  let mock: Mock

  before(async () => { mock = await openMock({ now: () => Date.parse(exampleNow) }) })
  after(() => mock?.[Symbol.asyncDispose]())

  for (const operation of operations) {
    describe(operation.operationId, () => {
      it('answers with the first example of its success status', async () => {
        const answer = await ask(mock.url, operation)
        const { value } = examplesOf(operation).find(({ isDefault }) => isDefault)!
        expect(answer.status).to.equal(operation.status)
        // the document's example is the email before its request changes a mark
        expect(bodyOf(answer)).to.deep.equal(operation.operationId === 'emails.update' ? { data: { ...value.data, isRead: true } } : value)
      })

      it('has a valid example of every answer', async () => {
        for (const example of examplesOf(operation)) {
          const answer = await ask(mock.url, operation, { prefer: `code=${example.status}, example=${example.name}`, example })
          const { name, status } = example
          expect({ status: answer.status, body: bodyOf(answer) }, `${status} ${name}`).to.deep.equal({ status, body: shownBy(operation, example) })
          if (status !== 204) expect(example.faultsOf(bodyOf(answer)), `${status} ${name}`).to.deep.equal([])
        }
      })

      if (operation.definition.requestBody) it('accepts every example of a request', async () => {
        for (const body of exampleBodies(operation)) {
          expect((await ask(mock.url, operation, { body })).status, JSON.stringify(body)).to.equal(operation.status)
        }
      })
    })
  }

  it('refuses a request that does not match the document', async () => {
    const answer = await rawRequest(mock.url, { path: '/api/v1/emails?limit=1000', headers: { authorization: 'Bearer svc_test_mock' } })
    expect(answer.status).to.equal(400)
    expect(answer.json).to.include({ code: 'INVALID_REQUEST' })
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
