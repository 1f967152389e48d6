import { expect } from 'chai'
import { Mayfly } from '@mayfly-mail/sdk'
import { describeSdk } from '../sdk/shared-suite.ts'
import { rawRequest } from '../support/raw-request.ts'
import { openStockPrism } from '../support/stock-prism.ts'
import type { StockPrism } from '../support/stock-prism.ts'
import { ask, bodyOf, examplesOf } from './document-examples.ts'
import { contracts, exampleBodies } from './requests.ts'

const headers = { authorization: 'Bearer svc_test_prism' }

for (const contract of contracts) describe(`Stock Prism: the examples of the ${contract.dialect} dialect`, () => {
  let prism: StockPrism
  before(async () => { prism = await openStockPrism(contract.dialect) })
  after(() => prism?.[Symbol.asyncDispose]())

  for (const operation of contract.operations) {
    it(`${operation.operationId} answers with each of its examples, by code and name`, async () => {
      for (const example of examplesOf(operation, contract)) {
        const { name, status, value } = example
        const prefer = name === 'empty' && value === '' ? `code=${status}` : `code=${status}, example=${name}`
        const answer = await ask(prism.url, operation, { prefer, example, contract })
        expect({ status: answer.status, body: bodyOf(answer) }, `${status} ${name}`).to.deep.equal({ status, body: value })
        expect(example.faultsOf(bodyOf(answer)), `${status} ${name}`).to.deep.equal([])
      }
    })

    it(`${operation.operationId} answers with the first example of its success status, also without a Prefer header`, async () => {
      const { value } = examplesOf(operation, contract).find(({ isDefault }) => isDefault)!
      for (const body of operation.definition.requestBody ? exampleBodies(operation) : [undefined]) {
        const answer = await ask(prism.url, operation, { body, contract })
        expect({ status: answer.status, body: bodyOf(answer) }).to.deep.equal({ status: operation.status, body: value })
      }
    })
  }
})

describe('Stock Prism', function () {
  let prism: StockPrism
  before(async () => { prism = await openStockPrism() })
  after(async () => {
    if (!prism) return
    await prism[Symbol.asyncDispose]()
    const failure = await rawRequest(prism.url, { path: '/' }).then(() => undefined, (error: NodeJS.ErrnoException) => error.code)
    expect(failure, 'nothing listens any more').to.equal('ECONNREFUSED')
  })

  describeSdk('the SDK on stock Prism', async () => {
    const sdk = new Mayfly({ apiKey: 'svc_test_prism', baseUrl: prism.url })
    return {
      sdk,
      testSdk: sdk,
      offers: () => true,
      hasClassic: false, // its document is the primary one
      agree: async () => {}, // in its examples, one forwarding address is verified
      deliver: async () => {}, // its examples have this mail
      [Symbol.asyncDispose]: async () => {},
    }
  })

  /** Differences between stock Prism and the server, and so between stock Prism and the mock. */
  describe('differs from the server:', () => {
    const get = (path: string, more: Record<string, string> = {}) => rawRequest(prism.url, { path: `/api/v1${path}`, headers: { ...headers, ...more } })
    const problem = 'application/problem+json'

    it('needs the status beside the name of an error example', async () => {
      const answer = await get('/emails', { prefer: 'example=rate-limited' })
      expect([answer.status, answer.headers['content-type']]).to.deep.equal([404, problem])
      expect((await get('/emails', { prefer: 'code=429, example=rate-limited' })).status).to.equal(429)
    })

    it('answers 404 for an example that the operation does not have, so one header cannot be sent with all requests of a page', async () => {
      const answer = await get('/domains', { prefer: 'example=arabic' })
      expect([answer.status, answer.headers['content-type']]).to.deep.equal([404, problem])
    })

    it('accepts query parameters that the document does not name', async () => {
      expect((await get('/emails?unknown=1')).status).to.equal(200)
    })

    it('answers an invalid request with the example of a refusal, which does not name the fault', async () => {
      const { status, json } = await get('/addresses?status=none')
      expect([status, json.details]).to.deep.equal([400, [{ path: 'query.limit', message: 'must be <= 100' }]])
    })

    it('answers with unchanged examples: ids, pages, times and headers are those of the document', async () => {
      const other = '019c0000-0000-7000-8000-000000000000'
      expect((await get(`/addresses/${other}`)).json.data).to.include({ isActive: true, expiresAt: '2026-03-15T09:00:00.000Z' }).and.not.include({ id: other })
      expect((await get('/addresses?limit=1')).json.data).to.include({ limit: 20, total: 2 })
      const created = await rawRequest(prism.url, { method: 'POST', path: '/api/v1/addresses', headers })
      expect([created.status, created.headers['idempotency-replayed']]).to.deep.equal([201, 'true'])
    })

    it('does not wait for mail, and ends the stream of events', async () => {
      expect((await get('/emails/wait?subject=invoice&timeout=60')).status).to.equal(200)
      const stream = await fetch(`${prism.url}/api/v1/events`, { headers })
      expect(await stream.text()).to.include('event: email.received\n')
    })

    it('treats a header whose example is 0 as missing, and reports it in sl-violations', async () => {
      const { headers: shown } = await get('/emails', { prefer: 'code=429' })
      expect(shown['x-ratelimit-remaining']).to.equal('0')
      expect(shown['sl-violations']).to.include("required property 'x-ratelimit-remaining'")
    })

    it('answers HEAD requests and unknown paths with application/problem+json', async () => {
      expect((await rawRequest(prism.url, { path: '/api/v1/nothing', headers })).headers['content-type']).to.equal(problem)
      expect((await rawRequest(prism.url, { method: 'HEAD', path: '/api/v1/emails', headers })).status).to.equal(405)
    })
  })
})
