import { expect } from 'chai'
import type { OpenAPIV3_1 } from 'openapi-types'
import { resolveRef } from '../../openapi/document.ts'
import type { DocumentOperation } from '../../openapi/document.ts'
import { bearer, document, exampleBodies, exampleRequest, operations } from '../contract/requests.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'

type Schema = OpenAPIV3_1.SchemaObject

const nul = 'must not have the character U+0000; leave it out'
const half = 'must not have half of a surrogate pair (U+D800 to U+DFFF); write whole characters'


/** The members of a body that are strings or lists of strings. */
function textMembers({ definition }: DocumentOperation): string[] {
  if (!definition.requestBody) return []
  const { content } = resolveRef<OpenAPIV3_1.RequestBodyObject>(document, definition.requestBody)
  const { properties = {} } = resolveRef<Schema>(document, content['application/json']!.schema!)
  return Object.entries(properties).filter(([, schema]) => /"type":(?:"string"|\["string")/.test(JSON.stringify(schema)) || '$ref' in schema)
    .map(([name]) => name)
}

/** The parameters of a query that are strings. */
function textParameters({ definition, path }: DocumentOperation): string[] {
  const { parameters = [] } = document.paths![path] as OpenAPIV3_1.PathItemObject
  return [...parameters, ...definition.parameters ?? []].map((part) => resolveRef<OpenAPIV3_1.ParameterObject>(document, part))
    .filter(({ in: place, schema }) => place === 'query' && resolveRef<Schema>(document, schema!).type === 'string').map(({ name }) => name)
}

describe('Requests: text that cannot be stored', () => {
  let app: TestApp
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())

  const members = operations.flatMap((operation) => textMembers(operation).map((name) => ({ operation, name })))
  const parameters = operations.flatMap((operation) => textParameters(operation).map((name) => ({ operation, name })))

  it('is refused in every body and query of the document', () => {
    expect(members.map(({ operation, name }) => `${operation.operationId} ${name}`)).to.include.members([
      'addresses.create alias', 'emails.send subject', 'emails.send body', 'emails.send bodyHtml', 'forwardingRules.update filterSender',
      'test.createEmail raw', 'webhooks.create url', 'webhooks.update addressIds',
    ])
    expect(parameters.map(({ operation, name }) => `${operation.operationId} ${name}`)).to.include.members(['emails.list q', 'emails.wait subject'])
  })

  for (const { operation, name } of members) {
    it(`with a NUL or half of a surrogate pair in ${name} of ${operation.operationId} gets 400, naming the member`, async () => {
      const request = exampleRequest(operation, bearer(app.key))
      const [example] = exampleBodies(operation) as [Record<string, unknown>]
      for (const text of ['\0', 'a\0b', '\ud800', 'a\udc00b', 'a\udc00\ud800']) {
        const value = Array.isArray(example[name]) ? [text] : text
        const { status, json } = await rawRequest(app.url, { ...request, body: JSON.stringify({ ...example, [name]: value }) })
        expect([status, json.code], JSON.stringify(text)).to.deep.equal([400, 'INVALID_REQUEST'])
        const named = json.details.map(({ path }: { path: string }) => path.split('.').slice(0, 2).join('.'))
        expect(named, JSON.stringify(json)).to.include(`body.${name}`)
      }
    })
  }

  for (const { operation, name } of parameters) {
    it(`with a NUL in ${name} of ${operation.operationId} gets 400, naming the parameter`, async () => {
      const request = exampleRequest(operation, bearer(app.key))
      const { status, json } = await rawRequest(app.url, { ...request, path: `${request.path.split('?')[0]}?${name}=a%00b` })
      expect(status).to.equal(400)
      expect(json.details[0].path).to.equal(`query.${name}`)
    })
  }

  it('is reported with a reason for each member', async () => {
    const { id: fromAddressId } = await app.newAddress()
    const send = (input: object) => app.api('POST', '/emails', { body: { fromAddressId, to: 'ada@example.org', subject: 's', body: 'b', ...input } })
    const { status, body } = await send({ subject: 'a\0b', body: 'a\ud83d', bodyHtml: '<p>\0</p>' })
    expect([status, body]).to.deep.equal([400, {
      error: `body.subject: ${nul} (and 2 more).`,
      code: 'INVALID_REQUEST',
      details: [
        { path: 'body.subject', message: nul }, { path: 'body.body', message: half }, { path: 'body.bodyHtml', message: nul },
      ],
    }])
    expect((await app.api('GET', '/emails')).body.total).to.equal(0)
    expect((await send({ subject: 'whole \ud83d\ude00', body: '\u0001\u0085\ufffd' })).status).to.equal(202)
  })
})
