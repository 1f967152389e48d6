import type { ForwardingRule, ForwardingRuleUpdate } from '../contract/types.gen.ts'
import type { App, Caller } from '../context.ts'
import { AppError } from '../errors.ts'
import { inTransaction } from '../store/database.ts'
import { findRule, putRule } from '../store/forwarding-rules.ts'
import type { RuleSettings } from '../store/forwarding-rules.ts'
import { noAddress } from './addresses.ts'
import { verifiedForwardingAddress } from './forwarding-addresses.ts'

/**
 * Changes the members of a rule that are given; the first change makes it.
 * @throws AppError `NOT_FOUND`, `NOT_VERIFIED`, `INVALID_REQUEST` when it is to be active and forwards nowhere
 * @see spec "PATCH /api/v1/addresses/:addressId/forwarding"
 */
export function updateRule(app: App, caller: Caller, addressId: string, changes: ForwardingRuleUpdate): Promise<ForwardingRule> {
  return inTransaction(app.db, async (tx) => {
    const rule = await findRule(tx, caller, addressId)
    if (!rule) throw noAddress()
    const settings = changed(rule, changes)
    if (changes.forwardToId) await verifiedForwardingAddress(tx, caller, settings.forwardToId!)
    await putRule(tx, addressId, settings)
    return (await findRule(tx, caller, addressId))!
  })
}

function changed(rule: RuleSettings, changes: ForwardingRuleUpdate): RuleSettings {
  const forwardToId = changes.forwardToId === undefined ? rule.forwardToId : changes.forwardToId?.toLowerCase() ?? null
  if (changes.isActive && forwardToId === null) {
    const message = 'cannot be true without a forwardToId'
    throw new AppError('INVALID_REQUEST', `body.isActive: ${message}.`, [{ path: 'body.isActive', message }])
  }
  // who names a destination wants mail there, unless they say otherwise
  const isActive = changes.isActive ?? (changes.forwardToId ? true : rule.isActive)
  return {
    forwardToId,
    filterSender: changes.filterSender === undefined ? rule.filterSender : changes.filterSender || null,
    filterSubject: changes.filterSubject === undefined ? rule.filterSubject : changes.filterSubject || null,
    isActive: forwardToId !== null && isActive,
  }
}
