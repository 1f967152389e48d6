import type { OpenAPIV3_1 } from 'openapi-types'
import type { Address, Domain, Email, ForwardingAddress, Webhook, WebhookDelivery } from '../../server/contract/types.gen.ts'
import { operations } from '../../server/contract/operations.gen.ts'
import type { OperationId } from '../../server/contract/operations.gen.ts'

/** What the examples of the document are about, by id. */
export interface Things {
  addresses: Map<string, Address>
  emails: Map<string, Email>
  domains: Map<string, Domain>
  forwardingAddresses: Map<string, ForwardingAddress>
  webhooks: Map<string, Webhook>
  deliveries: Map<string, WebhookDelivery>
}

export function exampleThings(document: OpenAPIV3_1.Document): Things {
  return {
    addresses: thingsOf(document, 'addresses.get'),
    emails: thingsOf(document, 'emails.get'),
    domains: thingsOf(document, 'domains.list'),
    forwardingAddresses: thingsOf(document, 'forwardingAddresses.get'),
    webhooks: thingsOf(document, 'webhooks.get'),
    deliveries: thingsOf(document, 'webhooks.deliveries'),
  }
}

/** The examples of a response by name, in the order of the document; undefined without content. */
export function examplesOf(document: OpenAPIV3_1.Document, response: object): Record<string, unknown> | undefined {
  const { content = {} } = follow(document, response) as OpenAPIV3_1.ResponseObject
  const [first] = Object.values(content)
  if (!first) return undefined
  return Object.fromEntries(Object.entries(first.examples ?? {}).map(([name, example]) =>
    [name, (follow(document, example) as OpenAPIV3_1.ExampleObject).value as unknown]))
}

/** All that the examples of an operation show; of two with one id, the first. */
function thingsOf<Thing extends { id: string }>(document: OpenAPIV3_1.Document, operationId: OperationId): Map<string, Thing> {
  const { path, method, status } = operations[operationId]
  const examples = examplesOf(document, document.paths![path]![method]!.responses[status]!)
  const things = Object.values(examples ?? {}).flatMap((example) => (example as { data: Thing | Thing[] }).data)
  const byId = new Map<string, Thing>()
  for (const thing of things) if (!byId.has(thing.id)) byId.set(thing.id, thing)
  return byId
}

function follow(document: OpenAPIV3_1.Document, node: object): unknown {
  if (!('$ref' in node)) return node
  return String(node.$ref).split('/').slice(1).reduce((at, part) => (at as Record<string, unknown>)[part] as object, document as object)
}
