import type { OpenAPIV3_1 } from 'openapi-types'
import type { Address, Domain, Email, ForwardingAddress, Webhook, WebhookDelivery } from '../../server/contract/types.gen.ts'
import { operations } from '../../server/contract/operations.gen.ts'
import type { OperationId } from '../../server/contract/operations.gen.ts'

/** The resources in the examples of the document, by id. */
export interface ExampleResources {
  addresses: Map<string, Address>
  emails: Map<string, Email>
  domains: Map<string, Domain>
  forwardingAddresses: Map<string, ForwardingAddress>
  webhooks: Map<string, Webhook>
  deliveries: Map<string, WebhookDelivery>
}

export function exampleResources(document: OpenAPIV3_1.Document): ExampleResources {
  return {
    addresses: resourcesOf(document, 'addresses.get'),
    emails: resourcesOf(document, 'emails.get'),
    domains: resourcesOf(document, 'domains.list'),
    forwardingAddresses: resourcesOf(document, 'forwardingAddresses.get'),
    webhooks: resourcesOf(document, 'webhooks.get'),
    deliveries: resourcesOf(document, 'webhooks.deliveries'),
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

/** All resources in the examples of an operation; of duplicates, the first. */
function resourcesOf<Resource extends { id: string }>(document: OpenAPIV3_1.Document, operationId: OperationId): Map<string, Resource> {
  const { path, method, status } = operations[operationId]
  const examples = examplesOf(document, document.paths![path]![method]!.responses[status]!)
  const resources = Object.values(examples ?? {}).flatMap((example) => (example as { data: Resource | Resource[] }).data)
  const byId = new Map<string, Resource>()
  for (const resource of resources) if (!byId.has(resource.id)) byId.set(resource.id, resource)
  return byId
}

function follow(document: OpenAPIV3_1.Document, node: object): unknown {
  if (!('$ref' in node)) return node
  return String(node.$ref).split('/').slice(1).reduce((at, part) => (at as Record<string, unknown>)[part] as object, document as object)
}
