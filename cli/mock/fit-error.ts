import { operations } from '../../server/contract/operations.gen.ts'
import type { OperationId } from '../../server/contract/operations.gen.ts'
import type { ErrorBody } from '../../server/contract/types.gen.ts'
import { noForwardingAddress } from '../../server/domain/forwarding-addresses.ts'
import { noAnswered } from '../../server/domain/mail-members.ts'
import { noSender } from '../../server/domain/sending.ts'
import { noTestMailbox } from '../../server/domain/test-emails.ts'
import { noDelivery } from '../../server/domain/webhook-deliveries.ts'
import { noAddressOfWebhook } from '../../server/domain/webhooks.ts'
import { methodNotAllowed, noAttachment, notFound } from '../../server/errors.ts'
import type { AppError } from '../../server/errors.ts'
import { lacksScope } from '../../server/http/operations/authenticate.ts'
import type { MockRequest } from './mock-request.ts'

/** The error of each operation whose resource does not exist. */
const missing: { [Id in OperationId]?: (request: MockRequest<Id>) => AppError } = {
  'addresses.create': noForwardingAddress,
  'addresses.get': () => notFound('address'),
  'addresses.delete': () => notFound('address'),
  'addresses.update': () => notFound('address'),
  'addresses.activity': () => notFound('address'),
  'addresses.setSmtpFaults': () => notFound('address'),
  'addresses.getSmtpFaults': () => notFound('address'),
  'addresses.clearSmtpFaults': () => notFound('address'),
  'addresses.createSmtpLogin': () => notFound('address'),
  'addresses.deleteSmtpLogin': () => notFound('address'),
  'forwardingRules.get': () => notFound('address'),
  'forwardingRules.update': () => notFound('address'),
  'emails.wait': () => notFound('address'),
  'emails.get': () => notFound('email'),
  'emails.update': () => notFound('email'),
  'emails.delete': () => notFound('email'),
  'emails.restore': () => notFound('email'),
  'emails.changeAll': () => notFound('address'),
  'emails.bounce': () => notFound('email'),
  'emails.complain': () => notFound('email'),
  'emails.forward': () => notFound('email'),
  'emails.raw': () => notFound('email'),
  'emails.checks': () => notFound('email'),
  'emails.attachment': noAttachment,
  'emails.send': ({ body }) => body?.inReplyToId === undefined ? noSender() : noAnswered(),
  'domains.update': () => notFound('domain'),
  'domains.delete': () => notFound('domain'),
  'domains.verify': () => notFound('domain'),
  'forwardingAddresses.get': () => notFound('forwarding address'),
  'forwardingAddresses.delete': () => notFound('forwarding address'),
  'forwardingAddresses.resendVerification': () => notFound('forwarding address'),
  'sessions.delete': () => notFound('session'),
  'shareLinks.list': () => notFound('address'),
  'shareLinks.create': () => notFound('address'),
  'shareLinks.delete': () => notFound('share link'),
  'sharedInbox.getEmail': () => notFound('email'),
  'sharedInbox.attachment': noAttachment,
  'members.update': () => notFound('member'),
  'members.delete': () => notFound('member'),
  'apiKeys.revoke': () => notFound('API key'),
  'accounts.update': () => notFound('account'),
  'accounts.delete': () => notFound('account'),
  'capturedEmails.get': () => notFound('captured email'),
  'test.createEmail': noTestMailbox,
  'webhooks.create': ({ body }) => noAddressOfWebhook(firstOf(body)),
  'webhooks.get': () => notFound('webhook'),
  'webhooks.update': ({ body }) => body?.addressIds ? noAddressOfWebhook(firstOf(body)) : notFound('webhook'),
  'webhooks.delete': () => notFound('webhook'),
  'webhooks.test': () => notFound('webhook'),
  'webhooks.rotateSecret': () => notFound('webhook'),
  'webhooks.deliveries': () => notFound('webhook'),
  'webhooks.redeliver': noDelivery,
}

/** An error of the document in the words that the server has for this operation: its scope, its resource, its methods. */
export function fitError(example: ErrorBody, request: MockRequest): ErrorBody {
  const error = fitted(example, request)
  return error ? { ...example, error: error.message } : example
}

function fitted({ code }: ErrorBody, request: MockRequest): AppError | undefined {
  const { operationId, isNamed } = request
  const { scope } = operations[operationId]
  if (code === 'MISSING_SCOPE' && scope !== null) return lacksScope(scope)
  if (isNamed) return undefined
  if (code === 'METHOD_NOT_ALLOWED') return methodNotAllowed(methodsAt(operations[operationId].path))
  return code === 'NOT_FOUND' ? (missing[operationId] as ((request: MockRequest) => AppError) | undefined)?.(request) : undefined
}

const methodsAt = (wanted: string) =>
  Object.values(operations).filter(({ path }) => path === wanted).map(({ method }) => method.toUpperCase()).join(', ')

/** The address that the server looks for first. */
const firstOf = (body: { addressIds?: string[] | null } | null) => body?.addressIds?.[0]?.toLowerCase() ?? '019c0000-0000-7000-8000-000000000000'
