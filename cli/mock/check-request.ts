import { readConfig } from '../../server/config/config.ts'
import type { Caller } from '../../server/context.ts'
import type { OperationId } from '../../server/contract/operations.gen.ts'
import { lifetimeOf } from '../../server/domain/addresses.ts'
import { keyName } from '../../server/domain/api-keys.ts'
import { customDomainName } from '../../server/domain/domains.ts'
import { receivedHere } from '../../server/domain/forwarding-addresses.ts'
import { changedRule } from '../../server/domain/forwarding-rules.ts'
import { filesOf } from '../../server/domain/mail-members.ts'
import { emailOfAccount } from '../../server/domain/managed-accounts.ts'
import { senderListsOf } from '../../server/domain/sender-lists.ts'
import { oneMailbox, mailboxesOf } from '../../server/domain/sending.ts'
import { refuseLiveKey, sourceOf } from '../../server/domain/test-emails.ts'
import { checkWebhook } from '../../server/domain/webhooks.ts'
import { addressIdOf } from '../../server/http/operations/validation.ts'
import { refusalOf } from '../../server/outbound/webhook-target.ts'
import { parseSearch } from '../../server/store/search/search-query.ts'
import type { MockRequest } from './mock-request.ts'

type Check<Id extends OperationId> = (request: MockRequest<Id>, caller: Caller) => unknown

/** The default settings of a server. */
const config = readConfig({})

/** By operation, the checks of the server beyond the document that need no database (docs/decisions/0007). */
const checks: { [Id in OperationId]?: Check<Id> } = {
  'addresses.create': ({ body }, caller) => {
    lifetimeOf(caller, body?.expiresIn)
    senderListsOf(body ?? {})
  },
  'addresses.update': ({ body }) => body && senderListsOf(body),
  'forwardingRules.update': ({ body }) => body && changedRule(anyRule, body),
  'emails.list': ({ query }) => {
    addressIdOf(query)
    if (query.q !== undefined) parseSearch(query.q)
  },
  'emails.wait': ({ query }) => addressIdOf(query),
  'emails.changeAll': ({ body }) => body?.q !== undefined && parseSearch(body.q, 'body.q'),
  'emails.send': ({ body }) => {
    filesOf(body!.attachments ?? [])
    mailboxesOf(body!.to ?? 'sender@example.com', body!.cc)
  },
  'domains.create': ({ body }) => body && customDomainName({ config }, body.domain),
  'forwardingAddresses.create': ({ body }) => {
    const { domain } = oneMailbox('body.email', body!.email)
    if (domain === config.defaultDomain) throw receivedHere(domain)
  },
  'signInLinks.create': ({ body }) => body && oneMailbox('body.email', body.email),
  'apiKeys.create': ({ body }) => body && keyName(body),
  'test.createEmail': ({ body }, caller) => {
    refuseLiveKey(caller)
    if (body!.raw !== undefined) sourceOf(body!)
    else if (body!.from !== undefined) oneMailbox('body.from', body!.from)
  },
  'webhooks.create': ({ body }) => body && checkWebhook(targets, body),
  'webhooks.update': ({ body }) => body && checkWebhook(targets, body),
  'members.create': ({ body }) => body && emailOfAccount(body.email),
  'accounts.create': ({ body }) => body && emailOfAccount(body.email),
}

const targets = { refusalOf: (url: string) => refusalOf(url, config.allowPrivateWebhooks) }
const anyRule = { forwardToId: 'any', filterSender: null, filterSubject: null, isActive: true }

/** @throws AppError `INVALID_REQUEST` in the words of the server */
export function checkMeaning(request: MockRequest, caller: Caller): void {
  (checks[request.operationId] as Check<OperationId> | undefined)?.(request, caller)
}
