import { updateRule } from '../../domain/forwarding-rules.ts'
import { notFound } from '../../errors.ts'
import { findRule } from '../../store/addresses/forwarding-rules.ts'
import { change } from './change.ts'
import type { HandlersOf } from './handler.ts'

export const forwardingRules = {
  async 'forwardingRules.get'(app, { caller, path }) {
    const rule = await findRule(app.db, caller, path.addressId)
    if (!rule) throw notFound('address')
    return { data: rule }
  },

  'forwardingRules.update': change({
    run: (tx, { caller, path, body }) => updateRule(tx, caller, path.addressId, body),
    reply: (data) => ({ data }),
  }),
} satisfies HandlersOf<'forwardingRules'>
