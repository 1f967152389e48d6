import { expect } from 'chai'
import { OpenAPIBackend, OpenAPIRouter } from 'openapi-backend'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'

describe('openapi-backend: a request', () => {
  const { handleRequest } = OpenAPIBackend.prototype
  const { matchOperation } = OpenAPIRouter.prototype
  let calls: string[]
  let validator: OpenAPIBackend['validator']
  let app: TestApp

  /** The servers of a process share the library's object. */
  let restore = () => {}
  function recordSecurityHandlers(backend: OpenAPIBackend) {
    const handlers = backend.securityHandlers
    restore = () => { backend.securityHandlers = handlers }
    backend.securityHandlers = Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, (...args) => {
      calls.push(`security handler ${name}`)
      return handler!(...args) as unknown
    }]))
  }

  /** Records the server's calls of the library, without a change to their results. */
  before(async () => {
    OpenAPIBackend.prototype.handleRequest = function (request, ...args) {
      calls.push('handleRequest')
      if (validator !== this.validator) recordSecurityHandlers(this)
      validator = this.validator
      return handleRequest.call(this, request, ...args)
    }
    OpenAPIRouter.prototype.matchOperation = () => { throw new Error('a request was compared with all paths') }
    calls = []
    app = await openTestApp()
  })
  beforeEach(() => { calls = [] })
  after(async () => {
    Object.assign(OpenAPIBackend.prototype, { handleRequest })
    restore()
    Object.assign(OpenAPIRouter.prototype, { matchOperation })
    await app[Symbol.asyncDispose]()
  })

  const nowhere = '019c0000-0000-7000-8000-000000000000'
  for (const [title, method, path, options, status] of [
    ['that is answered', 'GET', '/addresses?limit=2', {}, 200],
    ['with a body', 'POST', '/addresses', { body: { expiresIn: 600 } }, 201],
    ['without a key', 'GET', '/addresses', { key: null }, 401],
    ['whose query is not valid', 'GET', '/addresses?limit=none', {}, 400],
    ['whose body is not valid', 'POST', '/addresses', { body: { expiresIn: 'soon' } }, 400],
    ['for an unknown id', 'GET', `/addresses/${nowhere}`, {}, 404],
  ] as const) {
    it(`${title} calls its handler once, and each security handler once`, async () => {
      expect((await app.api(method, path, options)).status).to.equal(status)
      expect(calls).to.deep.equal(['handleRequest', 'security handler apiKey', 'security handler session'])
    })
  }

  it('that is not valid leaves no errors in the memory of the validator', async () => {
    expect((await app.api('POST', '/addresses', { body: { expiresIn: 'soon' } })).status).to.equal(400)
    const validators = validator.getRequestValidatorsForOperation('addresses.create')
    expect(validators.map(({ errors }) => errors)).to.deep.equal([null, null])
  })

  for (const [title, method, path, status] of [
    ['on a path without an operation', 'GET', '/nothing', 404],
    ['with a method without an operation', 'PUT', '/addresses', 405],
    ['with HEAD', 'HEAD', '/addresses', 405],
  ] as const) {
    it(`${title} is answered without a call of a security handler`, async () => {
      const answer = await rawRequest(app.url, { method, path: `/api/v1${path}`, headers: { authorization: `Bearer ${app.key}` } })
      expect(answer.status).to.equal(status)
      expect(calls).to.deep.equal(['handleRequest'])
    })
  }
})
