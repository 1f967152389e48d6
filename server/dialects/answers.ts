import type { OperationId, Operations } from '../contract/operations.gen.ts'
import type * as Api from '../contract/types.gen.ts'
import { prefixedId } from '../ids.ts'
import type { PrefixedType } from '../ids.ts'

type Path = Record<string, string>
type Conversion<Id extends OperationId> = (answer: Operations[Id]['reply'], path: Path) => object

/** By operation, the answer without `success`. Others are the same. */
const conversions: { [Id in OperationId]?: Conversion<Id> } = {
  'addresses.list': ({ data }) => ({ data: { ...data, addresses: data.addresses.map(toAddress) } }),
  'addresses.create': ({ data }) => ({ data: { ...toAddress(data), forwarding: data.forwarding && toForwarding(data.forwarding) } }),
  'addresses.get': ({ data }) => ({ data: toAddress(data) }),
  'addresses.update': ({ data }) => ({ data: toAddress(data) }),
  'addresses.delete': deletion('address'),
  'addresses.activity': ({ data, ...page }) =>
    ({ data: data.map((entry) => ({ ...entry, emailId: entry.emailId && prefixedId('email', entry.emailId) })), ...page }),

  'forwardingRules.get': ({ data }) => ({ data: toForwarding(data) }),
  'forwardingRules.update': ({ data }) => ({ data: toForwarding(data) }),

  'emails.list': ({ data, ...page }) => ({ data: { emails: data.map(toEmail), ...page } }),
  'emails.get': ({ data }) => ({ data: toEmail(data) }),
  'emails.wait': ({ data }) => ({ data: toEmail(data) }),
  'emails.update': ({ data }) => ({ data: toEmail(data) }),
  'emails.restore': ({ data }) => ({ data: toEmail(data) }),
  'emails.delete': deletion('email'),
  'emails.send': withId('email'),
  'emails.forward': withId('email'),
  'emails.bounce': ({ data }) => ({ data: { ...data, emailId: prefixedId('email', data.emailId) } }),
  'emails.complain': ({ data }) => ({ data: { ...data, emailId: prefixedId('email', data.emailId) } }),
  'test.createEmail': withId('email'),

  'domains.list': ({ data }) => ({ data: data.map(toDomain) }),
  'domains.create': ({ data }) => ({ data: toDomain(data) }),
  'domains.update': ({ data }) => ({ data: toDomain(data) }),
  'domains.verify': ({ data, ...others }) => ({ data: toDomain(data), ...others }),
  'domains.delete': deletion('domain'),

  'forwardingAddresses.list': ({ data }) => ({ data: { ...data, addresses: data.addresses.map(idOf('forwardingAddress')) } }),
  'forwardingAddresses.create': withId('forwardingAddress'),
  'forwardingAddresses.get': withId('forwardingAddress'),
  'forwardingAddresses.delete': deletion('forwardingAddress'),

  'auditLogs.list': ({ data, ...page }) => ({ data: data.map(toAuditLog), ...page }),

  'webhooks.list': ({ data }) => ({ data: data.map(toWebhook) }),
  'webhooks.create': withId('webhook'),
  'webhooks.get': ({ data }) => ({ data: toWebhook(data) }),
  'webhooks.update': ({ data }) => ({ data: toWebhook(data) }),
  'webhooks.rotateSecret': withId('webhook'),
  'webhooks.delete': deletion('webhook'),

  'sharedInbox.listEmails': ({ data, ...page }) => ({ data: data.map(toEmail), ...page }),
  'sharedInbox.getEmail': ({ data }) => ({ data: toEmail(data) }),

  'sessions.delete': deletion(),
  'shareLinks.delete': deletion(),
  'members.delete': deletion(),
  'apiKeys.revoke': deletion(),
  'accounts.delete': deletion(),
}

/** The analytics have no envelope. */
const withoutEnvelope: OperationId[] = ['analytics.get']

/** An answer of the primary dialect as one of the classic one. @param path the members of the path of the request */
export function toClassicAnswer(operationId: OperationId, answer: object, path: Path): object {
  if (withoutEnvelope.includes(operationId)) return answer
  const convert = conversions[operationId] as Conversion<OperationId> | undefined
  return { success: true, ...convert?.(answer as never, path) ?? answer }
}

/** `{ data: { deleted: true, id }, message }`. @param type undefined for ids without a prefix */
function deletion(type?: PrefixedType) {
  return ({ message }: Api.Message, { id = '' }: Path) => ({ data: { deleted: true, id: type ? prefixedId(type, id) : id }, message })
}

function withId<Answer extends { data: { id: string } }>(type: PrefixedType) {
  const convert = idOf(type)
  return (answer: Answer) => ({ ...answer, data: convert(answer.data) })
}

function idOf(type: PrefixedType) {
  return <Resource extends { id: string }>(resource: Resource) => ({ ...resource, id: prefixedId(type, resource.id) })
}

const toAddress = ({ id, address, ...others }: Api.Address) => ({ id: prefixedId('address', id), email: address, ...others })

const toForwarding = <Forwarding extends { forwardToId: string | null }>({ forwardToId, ...others }: Forwarding) =>
  ({ ...others, forwardToId: forwardToId && prefixedId('forwardingAddress', forwardToId) })

type AnyEmail = { id: string, addressId?: string, attachments?: Api.Attachment[] }

const toEmail = ({ id, ...email }: AnyEmail) => ({
  id: prefixedId('email', id),
  ...email,
  ...email.addressId && { addressId: prefixedId('address', email.addressId) },
  ...email.attachments && { attachments: email.attachments.map(idOf('attachment')) },
})

const toDomain = ({ id, catchAllId, ...domain }: Api.Domain) =>
  ({ id: prefixedId('domain', id), ...domain, catchAllId: catchAllId && prefixedId('address', catchAllId) })

const toWebhook = ({ addressIds, ...webhook }: Api.Webhook) =>
  ({ ...idOf('webhook')(webhook), addressIds: addressIds && addressIds.map((id) => prefixedId('address', id)) })

/** By the first part of the operation that a record names, the type of its resource. The rule of an address is recorded with its id. */
const typesOfActions: Record<string, PrefixedType | undefined> = {
  addresses: 'address', forwardingRules: 'address', emails: 'email', test: 'email', domains: 'domain', forwardingAddresses: 'forwardingAddress',
  webhooks: 'webhook',
}
/** The operations on emails that name no email: their resource is the address of the query. */
const ofAddress = ['emails.list', 'emails.wait']

function toAuditLog(record: Api.AuditLog) {
  const { action, resourceId } = record
  const type = ofAddress.includes(action) ? 'address' : typesOfActions[action.split('.')[0]!]
  return { ...record, resourceId: resourceId && type ? prefixedId(type, resourceId) : resourceId }
}
