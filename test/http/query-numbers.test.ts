import { expect } from 'chai'
import type { OpenAPIV3_1 } from 'openapi-types'
import { bearer, document, exampleRequest, operations } from '../contract/requests.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'

const resolve = (parameter: object): OpenAPIV3_1.ParameterObject => '$ref' in parameter
  ? document.components!.parameters![String(parameter.$ref).split('/').at(-1)!] as OpenAPIV3_1.ParameterObject
  : parameter as OpenAPIV3_1.ParameterObject

/** Every query parameter that is a number. */
const typed = operations.flatMap((operation) => (operation.definition.parameters ?? []).map(resolve)
  .filter(({ in: place, schema }) => place === 'query' && !['string', 'boolean', undefined].includes((schema as { type?: string }).type))
  .map(({ name, schema }) => ({ operation, name, schema: schema as OpenAPIV3_1.SchemaObject })))

/** In percent-encoding: texts that `Number` reads as a whole number, and texts that look like a number. */
const refused = [
  '0x10', '0b11', '0o7', '1e1', '1E1', '%2B5', '%205', '5%20', '%095', '5%0A', '5.0', '5.', '.5e1', '05', '-0', '--5', '1_0', '1,0', '5n', '%EF%BC%95', '%D9%A5',
  'Infinity', 'NaN', 'true', 'null', '', '%00', '[5]', '5;6',
]

describe('Queries: numbers', () => {
  let app: TestApp
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())

  it('are limit, offset, timeout and days', () => {
    expect([...new Set(typed.map(({ name }) => name))].sort()).to.deep.equal(['days', 'limit', 'offset', 'timeout'])
    expect(new Set(typed.map(({ schema }) => schema.type))).to.deep.equal(new Set(['integer']))
  })

  for (const { operation, name } of typed) {
    it(`${name} of ${operation.operationId} accepts decimal digits only`, async () => {
      const request = exampleRequest(operation, bearer(app.key))
      const [path, others = ''] = request.path.split('?') as [string, string?]
      const rest = new URLSearchParams(others)
      rest.delete(name)
      const ask = (value: string) => rawRequest(app.url, { ...request, path: `${path}?${rest}&${name}=${value}` })
      for (const value of refused) {
        const { status, json } = await ask(value)
        expect([status, json.details], value).to.deep.equal([400, [{ path: `query.${name}`, message: 'must be integer' }]])
      }
      expect((await ask('1')).status).to.not.equal(400)
    })
  }
})
