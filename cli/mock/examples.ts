import type { OpenAPIV3_1 } from 'openapi-types'
import type { Address, Domain, Email, ForwardingAddress, ManagedAccount, Member, SmtpLogin, SmtpLoginAnswer, Webhook, WebhookDelivery } from '../../server/contract/types.gen.ts'
import { operations } from '../../server/contract/operations.gen.ts'
import type { OperationId } from '../../server/contract/operations.gen.ts'

/** An example of the document: an answer of an operation. */
export interface ExampleAnswer {
  status: number
  example: string
  /** Undefined where the answer has no content. */
  value: unknown
  /** Those that the document names, with their examples, in lower case; and the type of the content. */
  headers: Record<string, string>
}

/** The resources in the examples of the document, by id. */
export interface ExampleResources {
  addresses: Map<string, Address>
  emails: Map<string, Email>
  domains: Map<string, Domain>
  forwardingAddresses: Map<string, ForwardingAddress>
  webhooks: Map<string, Webhook>
  deliveries: Map<string, WebhookDelivery>
  accounts: Map<string, ManagedAccount>
  members: Map<string, Member>
  login: SmtpLogin
}

export function exampleResources(document: OpenAPIV3_1.Document): ExampleResources {
  return {
    addresses: resourcesOf(document, 'addresses.get'),
    emails: resourcesOf(document, 'emails.get'),
    domains: resourcesOf(document, 'domains.list'),
    forwardingAddresses: resourcesOf(document, 'forwardingAddresses.get'),
    webhooks: resourcesOf(document, 'webhooks.get'),
    deliveries: resourcesOf(document, 'webhooks.deliveries'),
    accounts: resourcesOf(document, 'accounts.list'),
    members: resourcesOf(document, 'members.list'),
    login: (answersOf(document, 'addresses.createSmtpLogin')[0]!.value as SmtpLoginAnswer).data,
  }
}

/** Every example of every answer of an operation, in the order of the document. An answer without content has one, `empty`. */
export function answersOf(document: OpenAPIV3_1.Document, operationId: OperationId): ExampleAnswer[] {
  const { path, method } = operations[operationId]
  const { responses } = document.paths![path]![method] as OpenAPIV3_1.OperationObject
  return Object.entries(responses!).flatMap(([status, response]): ExampleAnswer[] => {
    const { content = {}, headers: named = {} } = follow(document, response) as OpenAPIV3_1.ResponseObject
    const [first] = Object.entries(content)
    const headers = Object.fromEntries(Object.entries(named).map(([name, header]) =>
      [name.toLowerCase(), String((follow(document, header) as OpenAPIV3_1.HeaderObject).example)]))
    if (!first) return [{ status: Number(status), example: 'empty', value: undefined, headers }]
    const [type, { examples = {} }] = first
    return Object.entries(examples).map(([example, described]) => ({
      status: Number(status), example, value: (follow(document, described) as OpenAPIV3_1.ExampleObject).value as unknown,
      headers: { ...headers, 'content-type': type },
    }))
  })
}

/** All resources in the examples of an operation; of duplicates, the first. */
function resourcesOf<Resource extends { id: string }>(document: OpenAPIV3_1.Document, operationId: OperationId): Map<string, Resource> {
  const successes = answersOf(document, operationId).filter(({ status }) => status === operations[operationId].status)
  const resources = successes.flatMap(({ value }) => (value as { data: Resource | Resource[] }).data)
  const byId = new Map<string, Resource>()
  for (const resource of resources) if (!byId.has(resource.id)) byId.set(resource.id, resource)
  return byId
}

function follow(document: OpenAPIV3_1.Document, node: object): unknown {
  if (!('$ref' in node)) return node
  return String(node.$ref).split('/').slice(1).reduce((at, part) => (at as Record<string, unknown>)[part] as object, document as object)
}
