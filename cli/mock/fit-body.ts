import { dayMs } from '../../server/clock.ts'
import type { OperationId, Operations } from '../../server/contract/operations.gen.ts'
import type { AddressCreate, AddressCreated, AddressUpdate, AuditLog, Email, SmtpLogin } from '../../server/contract/types.gen.ts'
import { emailOfAccount } from '../../server/domain/managed-accounts.ts'
import { maxLifetimeSeconds } from '../../server/domain/plans.ts'
import { senderListsOf } from '../../server/domain/sender-lists.ts'
import { withDefaults } from '../../server/domain/smtp-faults.ts'
import { addressIdOf } from '../../server/http/operations/validation.ts'
import { domainOf } from '../../server/mailbox.ts'
import { statusesOf } from '../../server/store/schema/values.ts'
import { laterCursor } from './example-cursors.ts'
import { isFound } from './find-emails.ts'
import type { ExampleResources } from './examples.ts'
import type { MockRequest } from './mock-request.ts'
import { examplePage, exampleSlice } from './page.ts'
import { exampleNow } from './shift-times.ts'

type Fit<Id extends OperationId> =
  (reply: Operations[Id]['reply'], request: MockRequest<Id>, resources: ExampleResources) => Operations[Id]['reply']

/**
 * By operation, the members of an answer that follow the request; its times are those of the examples. Answers of other operations
 * have no such member. Of an example that a request names by `Prefer`, only ids and pages follow.
 */
const fits: { [Id in OperationId]?: Fit<Id> } = {
  'addresses.list': ({ data }, { query, isNamed }) => {
    const status = isNamed ? undefined : query.status
    return { data: examplePage(data, 'addresses', query, ({ isActive }) => status === undefined || isActive === (status === 'active')) }
  },
  'addresses.create': ({ data }, { body, isNamed }, resources) => ({ data: isNamed ? data : newAddress(data, body ?? {}, resources) }),
  'addresses.get': ({ data }, request, { addresses }) => ({ data: requested(data, request, addresses) }),
  'addresses.update': ({ data }, request, { addresses }) => ({ data: { ...requested(data, request, addresses), ...shownSenders(request.isNamed ? null : request.body) } }),
  'addresses.activity': (reply, { query }) => examplePage(reply, 'data', query),
  'addresses.setSmtpFaults': ({ data }, { body, isNamed }) => ({ data: isNamed || !body ? data : { steps: body.steps.map(withDefaults) } }),
  'addresses.createSmtpLogin': ({ data, message }, { path, isNamed }, { addresses }) =>
    ({ data: isNamed ? data : loginOf(data, addresses.get(path.id)?.address ?? data.username), message }),
  'addresses.delete': ({ data, message }, { path }) => ({ data: { ...data, id: path.id }, message }),

  'forwardingRules.update': ({ data }, { body, isNamed }, { forwardingAddresses }) => {
    if (isNamed || !body) return { data }
    if (body.forwardToId === null) return { data: { ...data, ...body, forwardToEmail: null, isActive: false } }
    const { forwardToId = data.forwardToId, isActive = true } = body
    const forwardToEmail = forwardingAddresses.get(forwardToId ?? '')?.email ?? data.forwardToEmail
    return { data: { ...data, ...body, forwardToId, forwardToEmail, isActive } }
  },

  'emails.list': (reply, { query, after, isNamed, nowMs }, { addresses, emails }) => {
    const addressId = addressIdOf(query)
    const isKnown = addressId !== undefined && addresses.has(addressId)
    const data = addressId === undefined || isKnown ? reply.data : reply.data.map((email) => ({ ...email, addressId }))
    const cursor = laterCursor(reply.cursor, query.after)
    return examplePage({ ...reply, data, cursor }, 'data', query, (email) =>
      email.id > after && (!isKnown || email.addressId === addressId) && (isNamed || isFound(email, query, emails.get(email.id), nowMs)))
  },
  'emails.get': ({ data }, request, { emails }) => ({ data: requested(data, request, emails) }),
  'emails.update': ({ data }, request, { emails }) => ({ data: { ...requested(data, request, emails), ...!request.isNamed && request.body } }),
  'emails.restore': ({ data }, request, { emails }) => ({ data: requested(data, request, emails) }),
  'emails.raw': (source, { path }, { emails }) => {
    const [first] = emails.values()
    const email = emails.get(path.id)
    return email === undefined || email === first ? source : sourceOf(email) as never
  },
  'emails.forward': ({ data, message }, { path }) => ({ data: { ...data, id: path.id }, message }),
  'emails.delete': ({ data, message }, { path }) => ({ data: { ...data, id: path.id }, message }),
  'emails.wait': ({ data }, { query }) => ({ data: { ...data, addressId: addressIdOf(query) ?? data.addressId } }),

  'domains.create': (reply, { body }) => body ? renamed(reply, reply.data.domain, domainOf(body.domain) ?? body.domain) : reply,
  'domains.update': ({ data }, request, { domains }) => ({ data: { ...requested(data, request, domains), ...!request.isNamed && request.body } }),
  'domains.verify': (reply, { path, isNamed }, { domains }) => {
    const domain = isNamed ? undefined : domains.get(path.id)?.domain
    const { data, message } = renamed(reply, reply.data.domain, domain ?? reply.data.domain)
    return { data: { ...data, id: path.id }, message }
  },

  'forwardingAddresses.list': ({ data }, { query }) => ({ data: examplePage(data, 'addresses', query) }),
  'forwardingAddresses.create': (reply, { body }) => body ? renamed(reply, reply.data.email, body.email) : reply,
  'forwardingAddresses.get': ({ data }, request, { forwardingAddresses }) => ({ data: requested(data, request, forwardingAddresses) }),
  'forwardingAddresses.resendVerification': ({ message }, { path }, { forwardingAddresses }) => ({
    message: message.replace(/\S+@\S+(?=\.$)/, (email) => forwardingAddresses.get(path.id)?.email ?? email),
  }),

  'analytics.daily': ({ data }, { query, nowMs }) => {
    const days = Number(query.days ?? 30)
    const daysAgo = Array.from({ length: days }, (_, index) => days - 1 - index)
    return {
      data: daysAgo.map((ago) => {
        const { received, sent } = data.at(-1 - ago) ?? { received: 0, sent: 0 }
        return { day: new Date(nowMs - ago * dayMs).toISOString().slice(0, 10), received, sent }
      }),
    }
  },
  'auditLogs.list': (reply, { query }) => examplePage(reply, 'data', query, (record) => isAudited(record, query)),
  'events.stream': (text, { headers }) => {
    const [beginning = '', ...events] = text.split(/(?<=\n\n)/)
    const last = headers['last-event-id']
    const seen = events.findIndex((event) => idOf(event) === last)
    return [seen < 0 ? beginning : beginning.replace(/(?<=^id: ).+/m, String(last)), ...events.slice(seen + 1)].join('')
  },

  'apiKeys.create': ({ data }, { body, isNamed, isReplay }) => {
    const given = isNamed || !body ? data : body
    const { name, scopes, mode = 'live', dialect = 'primary', bounds = null } = given
    const endMs = body?.expiresIn === undefined ? undefined : Date.parse(data.createdAt) + body.expiresIn * 1000
    const expiresAt = endMs === undefined ? data.expiresAt : new Date(endMs).toISOString()
    const [prefix, key] = [data.prefix, data.key].map((text) => text?.replace(/^svc_\w+?_/, `svc_${mode}_`))
    const made = { ...data, name: name.trim(), scopes, mode, dialect, bounds, expiresAt, prefix: prefix ?? null }
    return { data: { ...made, key: isReplay ? undefined : key } }
  },

  'webhooks.create': ({ data }, { body, dialect, isReplay }) => {
    if (!body) return { data }
    const { url, events, form = 'both', secret = data.secret } = body
    return { data: { ...data, url, events: unique(events), form, dialect, secret: isReplay ? undefined : secret } }
  },
  'webhooks.get': ({ data }, request, { webhooks }) => ({ data: requested(data, request, webhooks) }),
  'webhooks.update': ({ data }, request, { webhooks }) => {
    const webhook = requested(data, request, webhooks)
    const { isNamed, body } = request
    if (isNamed || !body) return { data: webhook }
    const { isActive = webhook.isActive, events = webhook.events } = body
    const enabled = isActive && { disabledAt: null, disabledReason: null }
    const disabled = webhook.isActive && !isActive && { disabledAt: exampleNow, disabledReason: 'It was switched off.' }
    return { data: { ...webhook, ...body, events: unique(events), ...enabled, ...disabled } }
  },
  'webhooks.test': ({ data }, { path }, { webhooks }) => ({ data: { ...data, event: webhooks.get(path.id)?.events[0] ?? data.event } }),
  'webhooks.rotateSecret': ({ data }, { path, isReplay }, { webhooks }) => {
    const { url, events, form, dialect, createdAt } = webhooks.get(path.id) ?? data
    return { data: { ...data, id: path.id, url, events, form, dialect, createdAt, secret: isReplay ? undefined : data.secret } }
  },
  'webhooks.deliveries': (reply, { query }) => examplePage(reply, 'data', query),
  'webhooks.redeliver': ({ data }, { path }, { deliveries }) => {
    const { eventId, event, requestBody } = deliveries.get(path.deliveryId) ?? data
    return { data: { ...data, eventId, event, requestBody } }
  },

  'shareLinks.create': ({ data, message }, { isReplay }) => ({ data: { ...data, url: isReplay ? undefined : data.url }, message }),
  'sharedInbox.listEmails': ({ data }, { query }) => exampleSlice(data, query),
  'sharedInbox.getEmail': ({ data }, { path }) => ({ data: { ...data, id: path.id } }),
  'members.create': ({ data }, { body, isNamed, isReplay }) => {
    const { email, role } = isNamed || !body ? data : body
    return { data: { ...data, email: emailOfAccount(email), role, invitationUrl: isReplay ? undefined : data.invitationUrl } }
  },
  'members.update': ({ data }, request, { members }) => ({ data: { ...requested(data, request, members), ...!request.isNamed && request.body } }),

  'accounts.list': ({ data }, { query }) => exampleSlice(data, query, ({ email }) => email.includes(query.search?.toLowerCase() ?? '')),
  'accounts.create': ({ data }, { body, isNamed }) =>
    ({ data: isNamed || !body ? data : { ...data, email: emailOfAccount(body.email), plan: body.plan } }),
  'accounts.update': ({ data }, request, { accounts }) => ({ data: { ...requested(data, request, accounts), ...!request.isNamed && request.body } }),
  'capturedEmails.list': ({ data }, { query }) => exampleSlice(data, query),
  'capturedEmails.get': ({ data }, { path }) => ({ data: { ...data, id: path.id } }),
}

/** An example of the document, changed where it would contradict the request. */
export function fitBody(reply: unknown, request: MockRequest, resources: ExampleResources): unknown {
  const fit = fits[request.operationId] as Fit<OperationId> | undefined
  return fit ? fit(reply as never, request, resources) : reply
}

/** The resource of the examples that has the id of the path, else that of the answer, under this id. */
function requested<Resource extends { id: string }>(
  shown: Resource, { path, isNamed }: { path: { id: string }, isNamed: boolean }, resources: Map<string, Resource>,
): Resource {
  return !isNamed && resources.get(path.id) || { ...shown, id: path.id }
}

function newAddress(example: AddressCreated, input: AddressCreate, { forwardingAddresses, login }: ExampleResources): AddressCreated {
  const { alias = example.alias, domain, expiresIn = maxLifetimeSeconds.business, forwardToId, smtpLogin } = input
  const name = alias.toLowerCase()
  const host = domain === undefined ? example.address.split('@')[1] : domainOf(domain) ?? domain
  const [anyForwarding] = forwardingAddresses.values()
  return {
    ...example,
    alias: name,
    address: `${name}@${host}`,
    expiresAt: new Date(Date.parse(example.createdAt) + expiresIn * 1000).toISOString(),
    ...shownSenders(input),
    hasSmtpLogin: smtpLogin === true,
    smtp: smtpLogin ? loginOf(login, `${name}@${host}`) : null,
    forwarding: forwardToId === undefined
      ? null
      : { forwardToId, forwardToEmail: (forwardingAddresses.get(forwardToId) ?? anyForwarding!).email, isActive: true },
  }
}

/** The lists of senders that a request sets. */
function shownSenders(input: AddressUpdate | null) {
  const { allowed, blocked } = senderListsOf(input ?? {})
  return { ...allowed && { allowedSenders: allowed }, ...blocked && { blockedSenders: blocked } }
}

/** The login of the examples, for another address. */
const loginOf = ({ username, url, ...login }: SmtpLogin, address: string): SmtpLogin =>
  ({ ...login, username: address, url: url?.replace(encodeURIComponent(username), encodeURIComponent(address)) })

/** A source that parses to this email, without its attachments. */
function sourceOf({ headers, bodyText, bodyHtml }: Email): string {
  const [type, body] = bodyText === '' && bodyHtml !== '' ? ['html', bodyHtml] : ['plain', bodyText]
  const fields = { ...headers, 'MIME-Version': '1.0', 'Content-Type': `text/${type}; charset=utf-8` }
  const lines = [...Object.entries(fields).map(([name, value]) => `${name}: ${value}`), '', ...body.split('\n')]
  return lines.join('\r\n')
}

/** Replaces a name in all texts of an answer. */
function renamed<T>(reply: T, before: string, after: string): T {
  return JSON.parse(JSON.stringify(reply), (_name, member: unknown) =>
    typeof member === 'string' ? member.replaceAll(before, () => after) : member) as T
}

const idOf = (event: string) => /^id: (.+)/m.exec(event)?.[1]
const unique = <T>(items: T[]): T[] => [...new Set(items)]

function isAudited(record: AuditLog, query: MockRequest<'auditLogs.list'>['query']): boolean {
  const { action, isChange, result, resourceId, caller, since = '', until = '~' } = query
  const { status, createdAt } = record
  return (action === undefined || `${record.action}.`.startsWith(`${action}.`))
    && (isChange === undefined || isChange === (record.method !== 'GET'))
    && (result === undefined || (status >= statusesOf[result][0] && status < statusesOf[result][1]))
    && (resourceId === undefined || record.resourceId === resourceId.toLowerCase())
    && (caller === undefined || (caller === 'session' ? record.sessionId !== null : record.apiKeyId === caller.toLowerCase()))
    && createdAt >= since && createdAt < until
}
