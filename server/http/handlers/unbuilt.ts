import type { OperationId } from '../../contract/operations.gen.ts'
import { AppError } from '../../errors.ts'

const notImplemented = async (): Promise<never> => {
  throw new AppError('NOT_IMPLEMENTED', 'This server does not offer this operation yet.')
}

/** The operations of the document that this server does not offer yet. */
export const unbuilt = {
  'analytics.get': notImplemented,
  'analytics.daily': notImplemented,
  'auditLogs.list': notImplemented,
  'webhooks.list': notImplemented,
  'webhooks.create': notImplemented,
  'webhooks.update': notImplemented,
  'webhooks.delete': notImplemented,
  'webhooks.get': notImplemented,
  'webhooks.test': notImplemented,
  'webhooks.rotateSecret': notImplemented,
  'webhooks.deliveries': notImplemented,
  'webhooks.redeliver': notImplemented,
  'emails.wait': notImplemented,
  'events.stream': notImplemented,
  'test.createEmail': notImplemented,
} satisfies Partial<Record<OperationId, typeof notImplemented>>
