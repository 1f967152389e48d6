import type { OperationId } from '../../contract/operations.gen.ts'
import { AppError } from '../../errors.ts'

const notImplemented = async (): Promise<never> => {
  throw new AppError('NOT_IMPLEMENTED', 'This server does not offer this operation yet.')
}

/** The operations of the document that this server does not offer yet. */
export const unbuilt = {
  'emails.send': notImplemented,
  'domains.list': notImplemented,
  'domains.create': notImplemented,
  'domains.delete': notImplemented,
  'domains.verify': notImplemented,
  'forwardingAddresses.list': notImplemented,
  'forwardingAddresses.create': notImplemented,
  'forwardingAddresses.get': notImplemented,
  'forwardingAddresses.delete': notImplemented,
  'forwardingAddresses.resendVerification': notImplemented,
  'forwardingRules.get': notImplemented,
  'forwardingRules.update': notImplemented,
  'analytics.get': notImplemented,
  'auditLogs.list': notImplemented,
  'webhooks.list': notImplemented,
  'webhooks.create': notImplemented,
  'webhooks.update': notImplemented,
  'webhooks.delete': notImplemented,
} satisfies Partial<Record<OperationId, typeof notImplemented>>
