import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { generateSync } from 'json-schema-faker'
import type { JsonSchema } from 'json-schema-faker'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { DocumentOperation } from '../../openapi/document.ts'
import { statusOf } from '../../server/errors.ts'
import type { ErrorCode } from '../../server/contract/types.gen.ts'
import { anyText } from '../support/any-text.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { closedAnswers } from '../support/closed-answers.ts'
import { capturedLink, press } from '../support/forwarding.ts'
import { rawRequest } from '../support/raw-request.ts'
import type { RawAnswer, RawRequest } from '../support/raw-request.ts'
import { bearer, contracts, exampleBodies, fillPath, pathIdsOf, unknownId } from './requests.ts'
import type { Contract } from './requests.ts'

/** Number of requests per operation. */
const requests = Number(process.env['MAYFLY_FUZZ_RUNS'] ?? 100)
const seed = process.env['MAYFLY_FUZZ_SEED'] ? { seed: Number(process.env['MAYFLY_FUZZ_SEED']) } : {}

/** The schemas of a document. */
interface Schemas {
  document: OpenAPIV3_1.Document
  /** A schema with references that resolve when it is used alone. */
  resolved(schema: object): JsonSchema & object
  definitionOf(schema: object): OpenAPIV3_1.SchemaObject
  isErrorBody(body: unknown): boolean
}

function schemasOf({ document }: Contract): Schemas {
  const definitions = JSON.parse(JSON.stringify(closedAnswers(document).components!.schemas).replaceAll('#/components/schemas/', '#/$defs/'))
  const resolved = (schema: object) => ({ ...JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')), $defs: definitions })
  const validate = new Ajv2020({ strict: false }).compile(resolved({ $ref: '#/components/schemas/ErrorBody' }))
  return {
    document, resolved,
    definitionOf(schema) {
      const { $ref } = schema as { $ref?: string }
      return $ref ? definitions[$ref.split('/').at(-1)!] : schema
    },
    isErrorBody: (body) => validate(body),
  }
}

/** The generator takes microseconds a character: it makes short texts, and those of members that may be long are repeated. */
const [maxFakedLength, maxRepeatedLength, longLength] = [700, 70_000, 50_000]
const withShortTexts = (schema: object) =>
  JSON.parse(JSON.stringify(schema), (name, value) => name === 'maxLength' ? Math.min(value, maxFakedLength) : value)

/** Names of members that every object inherits, and other unusual texts. */
const oddNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', ' ', '\0', '$ref', 'id', 'alias', 'é', '😀', 'a.b', 'a[b]', 'a/b']
const oddTexts = [
  '', ' ', '\0', '\r\n', '\ud800', '\u202e', '😀'.repeat(50), 'x'.repeat(300), 'x'.repeat(70_000), "' or 1=1 --", '%', '%00', '../../etc/passwd', '{}',
  '0', '-1', '1e400', '0x10', '99999999999999999999', 'true', 'null', 'NaN', unknownId, unknownId.toUpperCase(), `urn:uuid:${unknownId}`,
  'a@example.org', 'a@example.org\r\nBcc: b@example.org', 'http://127.0.0.1', 'javascript:alert(1)', '2026-02-30T00:00:00Z',
]
const text = fc.oneof(fc.constantFrom(...oddTexts), anyText(40), fc.string({ maxLength: 200 }))
const value: Arbitrary<unknown> = fc.oneof(
  text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.constant({}), fc.constant([]),
  fc.jsonValue({ maxDepth: 4 }), fc.array(text, { maxLength: 15 }), fc.dictionary(fc.constantFrom(...oddNames), text),
)

/** JSON that `JSON.stringify` does not produce. */
const oddBodies = [
  '', ' ', '{', '[', 'null', '0', '""', '{}{}', '{"a":1,}', "{'a':1}", '{"a":1,"a":2}', '\ufeff{}', '{"a":NaN}', '{"a":1e999}', '{"a":"\\ud800"}',
  '{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"isAdmin":true}}}', '['.repeat(20_000), `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, `{${Array.from({ length: 5_000 }, (_, i) => `"m${i}":${i}`).join()}}`, `{"${'n'.repeat(100_000)}":1}`,
  `{"events":[${'"email.received",'.repeat(20_000)}"x"]}`, '\xff\xfe', '{}'.padEnd(1024 * 1024 + 2),
]
const contentTypes = [
  'application/json', 'application/json', 'application/json', 'application/json; charset=utf-8', 'application/json; charset=utf-16', 'text/plain', '',
  'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json;;;', 'APPLICATION/JSON', 'a/b/c', '*/*',
]
const segments = [
  unknownId, unknownId.toUpperCase(), `${unknownId}%00`, `${unknownId}%2F..`, '%2F', '%5C', '%00', '%', '%ZZ', '%C3%28', '%F0%9F%98%80', '..%2f..', '%2e%2e', '.',
  '-1', '0', 'null', 'undefined', '{id}', ':id', '*', "'", 'a;b=c', 'x'.repeat(3_000), '__proto__', 'constructor', '%E2%80%AE', 'raw', 'verify',
]

const randomSeed = fc.integer({ min: 1, max: 2 ** 31 - 1 })

/** A body that matches the schema, or one with random changes. */
function bodyOf({ resolved, definitionOf }: Schemas, schema: object): Arbitrary<string> {
  // json-schema-faker may fail for `minProperties` when members are left out, so such an object gets all of them
  const chance = 'minProperties' in definitionOf(schema) ? { alwaysFakeOptionals: true } : { optionalsProbability: 0.7 }
  const shortened = withShortTexts(resolved(schema))
  const { properties } = definitionOf(schema) as { properties: Record<string, { maxLength?: number }> }
  const lengthen = (name: string, value: unknown) => {
    const maxLength = Math.min(properties[name]?.maxLength ?? 0, maxRepeatedLength)
    return typeof value === 'string' && maxLength >= longLength ? value.repeat(maxLength / maxFakedLength) : value
  }
  const faked = randomSeed.map((seed) => {
    const body = generateSync(shortened, { seed, ...chance }) as Record<string, unknown>
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, lengthen(name, value)]))
  })
  const names = fc.oneof(fc.constantFrom(...oddNames), fc.constantFrom(...Object.keys(properties)))
  const change = fc.record({ name: names, value, isRemoved: fc.boolean() })
  const changed = fc.tuple(faked, fc.array(change, { minLength: 1, maxLength: 3 })).map(([body, changes]) => {
    const entries = new Map(Object.entries(body))
    for (const { name, value, isRemoved } of changes) {
      if (isRemoved) entries.delete(name)
      else entries.set(name, value)
    }
    return `{${[...entries].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join()}}`
  })
  return fc.oneof(
    faked.map((body) => JSON.stringify(body)), changed, changed, value.map((body) => JSON.stringify(body) ?? ''), fc.constantFrom(...oddBodies),
  )
}

/** The document's example body, with an id that exists. */
function bodyAsShown(operation: DocumentOperation, existing: string[][]): Arbitrary<string> {
  const shown = exampleBodies(operation).map((body) => JSON.stringify(body))
  const plainIds = existing.flat().map((id) => id.replace(/^[a-z]+_/, ''))
  return fc.tuple(fc.constantFrom(...shown), fc.constantFrom(...plainIds))
    .map(([body, id]) => body.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, id))
}

function queryOf({ document, resolved }: Schemas, { definition }: DocumentOperation): Arbitrary<string> {
  const parameters = (definition.parameters ?? []).map((parameter) => '$ref' in parameter
    ? document.components!.parameters![parameter.$ref.split('/').at(-1)!] as OpenAPIV3_1.ParameterObject
    : parameter)
  const known = parameters.filter((parameter) => parameter.in === 'query')
  const valid = known.map((parameter) => {
    const schema = resolved(parameter.schema!)
    return fc.tuple(fc.constant(parameter.name), randomSeed.map((seed) => String(generateSync(schema, { seed }))))
  })
  const shortText = text.filter((text) => text.length < 1_000)
  const names = fc.oneof(fc.constantFrom(...oddNames), ...known.map(({ name }) => fc.constant(name)))
  const member = fc.oneof(...valid, ...valid, fc.tuple(names, shortText))
    .map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`)
  const raw = fc.constantFrom('&', '=', '&&=', '%', '%ZZ=%ZZ', 'a=%00', '?', '??limit=1', 'limit', 'limit=1;offset=2', 'limit=+1', '[]=1', '__proto__[a]=1')
  return fc.oneof(fc.constant(''), fc.array(fc.oneof({ weight: 9, arbitrary: member }, { weight: 1, arbitrary: raw }), { maxLength: 5 }).map((members) => `?${members.join('&')}`))
}

/** @param existing the ids in the path of each existing resource */
function requestOf(schemas: Schemas, operation: DocumentOperation, existing: string[][]): Arbitrary<RawRequest> {
  const names = pathIdsOf(operation)
  const content = (operation.definition.requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content['application/json']
  const body = content
    ? fc.oneof(bodyOf(schemas, content.schema!), bodyAsShown(operation, existing))
    : fc.constantFrom(undefined, undefined, undefined, ...oddBodies)
  return fc.record({
    segments: fc.oneof(
      fc.constantFrom(...existing), fc.tuple(...names.map(() => fc.constantFrom(...existing.flat(), ...segments))),
    ),
    query: queryOf(schemas, operation),
    body,
    contentType: fc.oneof({ weight: 4, arbitrary: fc.constant('application/json') }, { weight: 1, arbitrary: fc.constantFrom(...contentTypes) }),
    inPieces: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  }).map(({ segments, query, body, contentType, inPieces }): RawRequest => {
    const method = operation.method.toUpperCase()
    const isWait = operation.operationId === 'emails.wait'
    const path = fillPath(operation, (name) => segments[names.indexOf(name)]!) + (isWait ? atOnce(query) : query)
    if (body === undefined) return { method, path }
    const type = { 'content-type': contentType }
    return inPieces
      ? { method, path, headers: { ...type, 'transfer-encoding': 'chunked' }, chunks: [body] }
      : { method, path, headers: type, body }
  })
}

/** The query of a request that does not wait. */
function atOnce(query: string) {
  if (!/[?&]timeout=/.test(query)) return `${query || '?'}&timeout=0`
  return query.replaceAll(/([?&]timeout=)([^&]*)/g, (all, name: string, value: string) => Number(decodeURIComponent(value)) <= 60 ? `${name}0` : all)
}

for (const contract of contracts) describe(`Generated requests in the ${contract.dialect} dialect`, () => {
  const schemas = schemasOf(contract)
  let app: TestApp
  /** Ids of existing resources, for a path or a body, by operation or by the first part of its name. */
  let existing: Record<string, string[][]>
  /** A key of the test mode, which has the address of the document's examples. */
  let testKey: string

  before(async function () {
    // without the limit of an account, at which bodies in chunks wait for 120 ms each
    app = await openTestApp({ httpLimits: { maxBodyBytesPerSecond: 2 ** 40 } })
    testKey = await app.newKey({ isTest: true })
    await app.api('POST', '/addresses', { key: testKey, body: { alias: 'checkout-test' } })
    const addresses = await Promise.all(Array.from({ length: 4 }, () => app.newAddress()))
    await app.send({ to: addresses.map(({ address }) => address), subject: 's', attachments: [{ filename: 'a', content: 'a' }] })
    await app.settled()
    const emails = await app.listEmails()
    const { attachments } = (await app.api('GET', `/emails/${emails[0]!.id}`)).body.data
    const newDomain = async (domain: string) => (await app.api('POST', '/domains', { body: { domain } })).body.data as { id: string }
    const domains = await Promise.all(['a.example', 'b.example', 'c.example', 'd.example'].map(newDomain))
    const newForwarding = async (email: string) => (await app.api('POST', '/forwarding-addresses', { body: { email } })).body.data as { id: string }
    const forwarding = await Promise.all(['a@example.com', 'b@example.com'].map(newForwarding))
    const { id: forwardToId } = await newForwarding('verified@example.com')
    await press(app, await capturedLink(app, 'verified@example.com'))
    // the first update creates a rule and needs a forwardToId, which generated bodies do not have
    for (const { id } of addresses) await app.api('PATCH', `/addresses/${id}/forwarding`, { body: { forwardToId } })
    let added = 0
    const newWebhook = async () => (await app.api('POST', '/webhooks', {
      body: { url: `https://hooks.example.com/${++added}`, events: ['address.expired'] },
    })).body.data as { id: string }
    const webhook = await newWebhook()
    const { id: deliveryId } = (await app.api('POST', `/webhooks/${webhook.id}/test`)).body.data as { id: string }
    const pathsOf = (things: { id: string }[]) => things.map(({ id }) => [id])
    existing = {
      addresses: pathsOf(addresses), forwardingRules: pathsOf(addresses), emails: pathsOf(emails), domains: pathsOf(domains),
      forwardingAddresses: pathsOf(forwarding), webhooks: [[webhook.id]],
      'emails.send': pathsOf(addresses),
      'emails.attachment': attachments.map(({ id }: { id: string }) => [emails[0]!.id, id]),
      'webhooks.redeliver': [[webhook.id, deliveryId]],
    }
    const spare = (make: (i: number) => Promise<{ id: string }>) => Promise.all(Array.from({ length: 20 }, (_, i) => make(i))).then(pathsOf)
    await app.send({ to: addresses.map(({ address }) => address), subject: 'spare' })
    await app.settled()
    existing['emails.delete'] = pathsOf((await app.listEmails()).filter(({ subject }) => subject === 'spare'))
    existing['emails.forward'] = emails.map(({ id }) => [id, forwardToId])
    existing['addresses.delete'] = await spare(() => app.newAddress())
    existing['domains.delete'] = await spare((i) => newDomain(`spare-${i}.example`))
    existing['forwardingAddresses.delete'] = await spare((i) => newForwarding(`spare-${i}@example.com`))
    existing['webhooks.delete'] = await spare(newWebhook)
    existing['apiKeys.revoke'] = await spare(async (i) => (await app.api('POST', '/api-keys', { body: { name: `spare ${i}`, scopes: ['emails:read'] } })).body.data)
  })
  after(() => app[Symbol.asyncDispose]())

  for (const operation of contract.operations) {
    it(`${operation.operationId} answers as the document says`, async () => {
      const byStatus = new Map<number, number>()
      const { operationId } = operation
      const plain = existing[operationId] ?? existing[operationId.split('.')[0]!] ?? existing['addresses']!
      const here = contract.dialect === 'primary' ? plain : plain.flatMap((ids) => [ids, ids.map((id) => `addr_${id}`)])
      const key = operation.operationId.startsWith('test.') ? testKey : app.key
      await fc.assert(fc.asyncProperty(requestOf(schemas, operation, here), async (request) => {
        const answer = await rawRequest(app.url, { ...request, headers: { ...bearer(key), ...contract.headers, ...request.headers } })
        byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1)
        checkAnswer(schemas, operation, answer)
      }), { numRuns: requests, ...seed })
      expect([...byStatus.keys()], 'no request was refused').to.include(400)
      expect([...byStatus.keys()], 'no request was valid').to.satisfy((found: number[]) => found.includes(operation.status) || found.includes(204))
    })
  }

  it('do not stop the server from working', async () => {
    expect((await app.api('POST', '/addresses', { body: {} })).status).to.equal(201)
    expect(({} as { isAdmin?: unknown }).isAdmin).to.equal(undefined)
  })
})

/** The server under test compares each answer with the document itself, and answers 500 when they differ. */
function checkAnswer({ isErrorBody }: Schemas, operation: DocumentOperation, { status, headers, json, text }: RawAnswer) {
  if (status !== 507) expect(status, text).to.be.lessThan(500)
  expect(Number(headers['x-ratelimit-remaining'])).to.be.at.least(0)
  expect(headers['x-request-id']).to.be.a('string')
  if (status === operation.status || status === 204) return
  expect(isErrorBody(json), text).to.equal(true)
  const { code, details } = (json.success === false ? json.error : json) as { code: ErrorCode, details?: unknown[] }
  expect(statusOf[code]).to.equal(status)
  expect(details !== undefined).to.equal(code === 'INVALID_REQUEST')
  expect(text.length).to.be.lessThan(10_000)
}
