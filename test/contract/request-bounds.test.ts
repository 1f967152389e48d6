import { expect } from 'chai'
import type { OpenAPIV3_1 } from 'openapi-types'
import { operationsOf, readDocument, resolveRef } from '../../openapi/document.ts'

type Schema = OpenAPIV3_1.SchemaObject
/** Formats with values of a fixed length. */
const fixedLength = ['uuid']

/** Members of requests without a maximum size. */
function unbounded(document: OpenAPIV3_1.Document): string[] {
  const found: string[] = []
  const look = (reference: object, path: string) => {
    const schema = resolveRef<Schema>(document, reference)
    const types = [schema.type].flat()
    if (types.includes('string') && !schema.enum && schema.maxLength === undefined && !fixedLength.includes(schema.format ?? '')) {
      found.push(`${path}: a string without maxLength`)
    }
    if (types.includes('array') && schema.maxItems === undefined) found.push(`${path}: an array without maxItems`)
    if (types.includes('object') && schema.additionalProperties !== false) found.push(`${path}: an object that takes any member`)
    if ('items' in schema) look(schema.items!, `${path}[]`)
    for (const branch of [...schema.oneOf ?? [], ...schema.anyOf ?? [], ...schema.allOf ?? []]) look(branch, path)
    for (const [name, member] of Object.entries(schema.properties ?? {})) look(member, `${path}.${name}`)
  }
  for (const { operationId, definition, path } of operationsOf(document)) {
    const { parameters = [] } = document.paths![path] as OpenAPIV3_1.PathItemObject
    for (const part of [...parameters, ...definition.parameters ?? []]) {
      const parameter = resolveRef<OpenAPIV3_1.ParameterObject>(document, part)
      look(parameter.schema!, `${operationId} ${parameter.in}.${parameter.name}`)
    }
    if (!definition.requestBody) continue
    const { content } = resolveRef<OpenAPIV3_1.RequestBodyObject>(document, definition.requestBody)
    for (const { schema } of Object.values(content)) look(schema!, `${operationId} body`)
  }
  return found
}

describe('Request schemas: limits', () => {
  it('set a maximum size for every string, list and object of a request', () => {
    expect(unbounded(readDocument())).to.deep.equal([])
  })

  it('are reported when they are missing', () => {
    const document = readDocument()
    const { properties } = document.components!.schemas!['WebhookCreate'] as Schema
    delete (properties!['events'] as OpenAPIV3_1.ArraySchemaObject).maxItems
    delete (properties!['url'] as Schema).maxLength
    expect(unbounded(document)).to.include.members([
      'webhooks.create body.url: a string without maxLength', 'webhooks.create body.events: an array without maxItems',
    ])
  })
})
