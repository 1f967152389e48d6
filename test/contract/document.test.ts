import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'chai'
import type { OpenAPIV3_1 } from 'openapi-types'
import { nodeAt, resolveRef } from '../../openapi/document.ts'
import { closedAnswers } from '../support/closed-answers.ts'
import { allOperations, document, operations } from './requests.ts'

type Schema = OpenAPIV3_1.SchemaObject & { $ref?: string, items?: Schema, 'x-extensible-enum'?: string[], examples?: unknown[] }

const { schemas, parameters, headers, responses } = document.components as {
  schemas: Record<string, Schema>, parameters: Record<string, OpenAPIV3_1.ParameterObject>,
  headers: Record<string, OpenAPIV3_1.HeaderObject>, responses: Record<string, OpenAPIV3_1.ResponseObject>
}
const nameOf = ($ref: string) => $ref.split('/').at(-1)!
const resolved = <T extends object>(node: T | OpenAPIV3_1.ReferenceObject) => resolveRef<T>(document, node)

/** A schema and every schema below it, each with its path; `$ref`s are not followed. */
function* parts(schema: Schema, path: string): Generator<[string, Schema]> {
  yield [path, schema]
  for (const [name, member] of Object.entries(schema.properties ?? {})) yield* parts(member, `${path}.${name}`)
  if (schema.items) yield* parts(schema.items, `${path}[]`)
  for (const kind of ['oneOf', 'allOf'] as const) {
    for (const [i, branch] of ((schema[kind] ?? []) as Schema[]).entries()) yield* parts(branch, `${path}/${kind}/${i}`)
  }
}

/** The names of the schemas that a part of the document refers to, directly or by others. */
function namesFrom(part: unknown, found = new Set<string>()): Set<string> {
  for (const [, pointer] of JSON.stringify(part).matchAll(/"\$ref":"(#[^"]+)"/g)) {
    const name = pointer!.startsWith('#/components/schemas/') ? nameOf(pointer!) : pointer!
    if (found.has(name)) continue
    found.add(name)
    namesFrom(nodeAt(document, pointer!), found)
  }
  return found
}

const contentsOf = (part: OpenAPIV3_1.ResponseObject | OpenAPIV3_1.RequestBodyObject) =>
  Object.entries(part.content ?? {}).map(([type, { schema }]) => [type, schema as Schema] as const)
const answers = allOperations.flatMap(({ operationId, definition }) => Object.entries(definition.responses!)
  .map(([status, response]) => ({ name: `${operationId} ${status}`, response: resolved<OpenAPIV3_1.ResponseObject>(response) })))
const requestBodies = allOperations.filter(({ definition }) => definition.requestBody)
  .map(({ operationId, definition }) => ({ name: operationId, body: definition.requestBody as OpenAPIV3_1.RequestBodyObject }))
const events = Object.values(document.webhooks!).map((item) => (item as OpenAPIV3_1.PathItemObject).post!)

const inRequests = namesFrom(requestBodies)
/** Schemas in answers, and in the bodies that are posted to webhooks. */
const inAnswers = namesFrom([answers, events])
const isRead = (name: string) => name in schemas && inAnswers.has(name)

/** The examples of every schema: its own, or those of the answers whose whole body it is. */
const examplesBySchema = new Map(Object.entries(schemas).map(([name, { examples }]) => [name, examples ?? []]))
for (const { response } of answers) {
  for (const { schema, examples } of Object.values(response.content ?? {}) as { schema: Schema, examples?: Record<string, object> }[]) {
    if (!schema.$ref) continue
    const values = Object.values(examples ?? {}).map((example) => (resolved(example) as OpenAPIV3_1.ExampleObject).value)
    examplesBySchema.get(nameOf(schema.$ref))!.push(...values)
  }
}

const newAjv = (of: OpenAPIV3_1.Document) => addFormats.default(new Ajv2020({ strict: false, allErrors: true })).addSchema(of, 'document')
const [open, closed] = [newAjv(document), newAjv(closedAnswers(document))]
const accepts = (ajv: typeof open, name: string, value: unknown) => ajv.getSchema(`document#/components/schemas/${name}`)!(value) === true

/** Copies of the value, one for each object in it, with one more member there. In `headers` and `support` members may have any name. */
function* withMembers(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) for (const changed of withMembers(item)) yield value.with(i, changed)
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, notYetKnown: 'new' }
    for (const [name, member] of Object.entries(value).filter(([name]) => name !== 'headers' && name !== 'support')) {
      for (const changed of withMembers(member)) yield { ...value, [name]: changed }
    }
  }
}

describe('OpenAPI document: answers may grow', () => {
  it('allows unknown members in every object of an answer or event, and the closed document of the tests refuses them', () => {
    for (const name of Object.keys(schemas).filter(isRead)) {
      for (const example of examplesBySchema.get(name)!) {
        expect(accepts(closed, name, example), `${name}, closed`).to.equal(true)
        for (const changed of withMembers(example)) {
          expect(accepts(open, name, changed), `${name}: ${JSON.stringify(changed)}`).to.equal(true)
          expect(accepts(closed, name, changed), `${name}, closed: ${JSON.stringify(changed)}`).to.equal(false)
        }
      }
    }
  })

  it('forbids unknown members in requests', () => {
    for (const name of inRequests) {
      for (const [path, schema] of parts(schemas[name]!, name)) {
        if (schema.properties) expect(schema.additionalProperties, path).to.equal(false)
      }
    }
  })

  it('has x-extensible-enum for every list of values in answers, except the error codes', () => {
    const found = Object.entries(schemas).filter(([name]) => isRead(name)).flatMap(([name, schema]) => [...parts(schema, name)])
    const extensible = found.filter(([, schema]) => schema['x-extensible-enum'])
    expect(extensible.map(([path]) => path)).to.include.members(['EmailStatus', 'EmailType', 'EventName', 'Domain.status', 'SpfResult.result'])
    for (const [path, schema] of extensible) {
      expect(schema.type, path).to.equal('string')
      expect(schema.description!.replaceAll(/\s+/g, ' '), path).to.include('More values may be added; a client must accept unknown values.')
    }
    expect(found.filter(([, schema]) => schema.enum).map(([path]) => path)).to.deep.equal(['ErrorCode'])
    expect([accepts(open, 'EmailStatus', 'bounced'), accepts(closed, 'EmailStatus', 'bounced')]).to.deep.equal([true, false])
  })

  it('lists the same events for subscriptions and in answers', () => {
    expect(schemas['EventName']!['x-extensible-enum']).to.deep.equal(schemas['WebhookEvent']!.enum)
  })
})

describe('OpenAPI document: names for generators', () => {
  it('every body is a named schema, and so is every object inside a body', () => {
    const bodies = [
      ...answers.map(({ name, response }) => [name, response] as const), ...requestBodies.map(({ name, body }) => [name, body] as const),
      ...events.map(({ operationId, requestBody }) => [operationId!, requestBody as OpenAPIV3_1.RequestBodyObject] as const),
    ]
    for (const [name, body] of bodies) {
      for (const [type, schema] of contentsOf(body)) if (type === 'application/json') expect(schema, name).to.have.all.keys('$ref')
    }
    for (const [name, schema] of Object.entries(schemas)) {
      for (const [path, part] of parts(schema, name)) {
        const isNamed = path === name || /^\w+\/allOf\/\d$/.test(path)
        if (part.properties) expect(isNamed, path).to.equal(true)
      }
    }
  })

  it('every parameter, header and schema has a description and an example', () => {
    const inline = Object.values(document.paths!).flatMap((item) => [item!, item!.get, item!.post, item!.patch, item!.delete])
      .flatMap((holder) => holder?.parameters ?? [])
    const all: [string, { description?: string, example?: unknown, examples?: unknown }][] = [
      ...([...inline.map(resolved), ...Object.values(parameters)] as OpenAPIV3_1.ParameterObject[])
        .map((parameter) => [parameter.name, parameter] as const),
      ...Object.entries(headers),
      ...Object.entries(schemas).map(([name, { description }]) => [name, { description, example: examplesBySchema.get(name)![0] }]),
    ] as never
    for (const [name, { description, example, examples }] of all) {
      expect(description, name).to.be.a('string').with.length.above(5)
      expect(example ?? examples, name).to.not.equal(undefined)
    }
  })

  it('every parameter of a path is a UUID, so that its text is not checked', () => {
    const inline = Object.values(document.paths!).flatMap((item) => [item!, item!.get, item!.post, item!.patch, item!.delete])
      .flatMap((holder) => holder?.parameters ?? []).map(resolved)
    const ofPaths = ([...inline, ...Object.values(parameters)] as OpenAPIV3_1.ParameterObject[]).filter((parameter) => parameter.in === 'path')
    expect(ofPaths).to.have.length.above(10)
    for (const { name, schema } of ofPaths) expect(resolved(schema as Schema).format, name).to.equal('uuid')
  })

  // Stock Prism and similar mock servers prefer the example of the schema to the examples of the answer.
  it('a schema that is the whole body of an answer has its examples at the answer', () => {
    for (const { name, response } of answers) {
      for (const [, schema] of contentsOf(response)) expect(resolved(schema), name).to.not.have.property('examples')
    }
  })

  it('every member of a schema has a description, and the examples of the schema show it', () => {
    for (const [name, schema] of Object.entries(schemas)) {
      for (const [path, part] of parts(schema, name)) {
        for (const [member, value] of Object.entries(part.properties ?? {}) as [string, Schema][]) {
          if (!value.$ref) expect(value.description, `${path}.${member}`).to.be.a('string')
          const shown = examplesBySchema.get(name)!.some((example) => member in (example as object))
          expect(shown, `${path}.${member}`).to.equal(true)
        }
      }
      for (const example of examplesBySchema.get(name)!) expect(accepts(closed, name, example), `${name}: ${JSON.stringify(example)}`).to.equal(true)
    }
  })
})

describe('OpenAPI document: parts of all operations', () => {
  it('need a key or a session, except those that sign in', () => {
    const isOpen = ({ definition }: typeof allOperations[0]) => {
      const schemes = definition.security ?? document.security ?? []
      return schemes.length === 0 || schemes.some((scheme) => Object.keys(scheme).length === 0)
    }
    expect(allOperations.filter(isOpen).map(({ operationId }) => operationId)).to.have.members(['signInLinks.create', 'sessions.create'])
  })

  it('405 and the header X-Mayfly-Fault are declared once, and every operation refers to them', () => {
    expect(responses['MethodNotAllowed']!.headers).to.have.property('Allow')
    for (const { operationId, path, definition } of operations) {
      expect(definition.responses!['405'], operationId).to.deep.equal({ $ref: '#/components/responses/MethodNotAllowed' })
      const shared = (document.paths![path] as OpenAPIV3_1.PathItemObject).parameters
      expect(shared, path).to.deep.include({ $ref: '#/components/parameters/MayflyFault' })
    }
    expect(JSON.stringify(document).match(/"name":"X-Mayfly-Fault"/g)).to.have.length(1)
  })

  it('501 is not among the documented statuses', () => {
    expect(document.info.description).to.not.include('501')
    expect(answers.filter(({ name }) => name.endsWith(' 501'))).to.deep.equal([])
  })

  it('events.stream is marked as a stream, with the schema of its events', () => {
    const streams = operations.filter(({ isStream }) => isStream)
    expect(streams.map(({ operationId }) => operationId)).to.deep.equal(['events.stream'])
    const { itemSchema } = (streams[0]!.definition as { 'x-stream'?: { itemSchema: Schema } })['x-stream']!
    const posted = events.map(({ requestBody }) => resolved<Schema>(contentsOf(requestBody as OpenAPIV3_1.RequestBodyObject)[0]![1]))
    expect(itemSchema.oneOf).to.deep.equal(posted.map(({ anyOf }) => anyOf![0]))
  })
})
