import type { App, Caller } from '../../context.ts'
import { requireAdmin } from '../../domain/administrators.ts'
import { notImplemented } from '../../errors.ts'
import type { HandlersOf } from './handler.ts'

const refuse = async (app: App, { caller }: { caller: Caller }): Promise<never> => {
  await requireAdmin(app, caller)
  throw notImplemented()
}
const refuseChange = { carryOut: refuse, repeat: refuse }

/** Operations for administrators of the server. */
export const administration = {
  'accounts.list': refuse,
  'accounts.create': refuseChange,
  'accounts.update': refuseChange,
  'accounts.delete': refuseChange,
  'capturedEmails.list': refuse,
  'capturedEmails.get': refuse,
} satisfies HandlersOf<'accounts' | 'capturedEmails'>
