import { expect } from 'chai'
import type { Handler, HandlerMap } from 'openapi-backend'
import { openBackend } from '../../../server/http/openapi-backend.ts'
import { openValidation } from '../../../server/http/validation.ts'

type Security = Record<string, string[]>[]

describe('openapi-backend: registration at start', () => {
  const open = async (
    security: Security | undefined, handlers: HandlerMap, securityHandlers: Record<string, Handler>, publicOperations: string[] = [],
  ) => {
    const operation = { operationId: 'things.list', ...(security && { security }), responses: { 200: { description: 'All of them.' } } }
    const document = {
      openapi: '3.1.0',
      info: { title: 'Things', version: '1' },
      paths: { '/things': { get: operation } },
      components: { securitySchemes: { apiKey: { type: 'http' as const, scheme: 'bearer' } } },
    }
    return openBackend(await openValidation(document), { handlers, securityHandlers, publicOperations })
  }
  const handler = () => ({})
  const [list, apiKey] = [{ 'things.list': handler }, { apiKey: handler }]

  it('accepts an operation with a handler for it and one for its security scheme', async () => {
    expect((await open([{ apiKey: [] }], list, apiKey)).getOperations().map(({ operationId }) => operationId)).to.deep.equal(['things.list'])
  })

  it('accepts an operation without a security scheme that is public', async () => {
    expect((await open([], list, apiKey, ['things.list'])).getOperations()).to.have.length(1)
  })

  const refused: [title: string, Security | undefined, HandlerMap, Record<string, Handler>, message: string][] = [
    ['an operation without a handler', [{ apiKey: [] }], {}, apiKey, 'things.list has no handler'],
    ['a security scheme without a handler', [{ apiKey: [] }], list, {}, 'the security scheme apiKey of things.list has no handler'],
    ['an operation without a security scheme', undefined, list, apiKey, 'things.list can be called without a key'],
    ['an operation with an optional security scheme', [{ apiKey: [] }, {}], list, apiKey, 'things.list can be called without a key'],
    ['a handler without an operation', [{ apiKey: [] }], { ...list, 'things.get': handler }, apiKey, 'Unknown operationId things.get'],
    ['a security handler without a scheme', [{ apiKey: [] }], list, { ...apiKey, cookie: handler }, 'Unknown security scheme cookie'],
  ]
  for (const [title, security, handlers, securityHandlers, message] of refused) {
    it(`refuses ${title}`, async () => {
      const error: unknown = await open(security, handlers, securityHandlers).catch((error: unknown) => error)
      expect(error).to.be.instanceOf(Error)
      expect((error as Error).message).to.include(message)
    })
  }
})
