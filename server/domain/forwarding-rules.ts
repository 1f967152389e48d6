import type { ForwardingRule, ForwardingRuleUpdate } from '../contract/types.gen.ts'
import type { Caller } from '../context.ts'
import { invalidRequest, notFound } from '../errors.ts'
import type { Tx } from '../store/database.ts'
import { lockAddressForShare } from '../store/addresses/addresses.ts'
import { findRule, putRule } from '../store/addresses/forwarding-rules.ts'
import type { RuleSettings } from '../store/addresses/forwarding-rules.ts'
import { verifiedForwardingAddress } from './forwarding-addresses.ts'

/**
 * Changes the members of a rule that are given. The first change creates the rule, and has to say where mail is forwarded.
 * @throws AppError `NOT_FOUND`, `NOT_VERIFIED`, `INVALID_REQUEST` for a new or active rule without a forwarding address
 * @see spec "PATCH /api/v1/addresses/:addressId/forwarding"
 */
export async function updateRule(tx: Tx, caller: Caller, addressId: string, changes: ForwardingRuleUpdate): Promise<ForwardingRule> {
  await lockAddressForShare(tx, addressId)
  const rule = await findRule(tx, caller, addressId)
  if (!rule) throw notFound('address')
  const settings = changedRule(rule, changes)
  if (rule.id === null && settings.forwardToId === null) {
    throw invalidRequest('body.forwardToId', 'is required, as this address has no forwarding rule yet; give the id of a verified forwarding address')
  }
  if (changes.forwardToId) await verifiedForwardingAddress(tx, caller, settings.forwardToId!)
  await putRule(tx, addressId, settings)
  return (await findRule(tx, caller, addressId))!
}

/** @throws AppError `INVALID_REQUEST` when it would be active without a forwarding address */
export function changedRule(rule: RuleSettings, changes: ForwardingRuleUpdate): RuleSettings {
  const forwardToId = changes.forwardToId === undefined ? rule.forwardToId : changes.forwardToId?.toLowerCase() ?? null
  if (changes.isActive && forwardToId === null) throw invalidRequest('body.isActive', 'cannot be true without a forwardToId')
  // a new destination activates the rule by default
  const isActive = changes.isActive ?? (changes.forwardToId ? true : rule.isActive)
  return {
    forwardToId,
    filterSender: changes.filterSender === undefined ? rule.filterSender : changes.filterSender || null,
    filterSubject: changes.filterSubject === undefined ? rule.filterSubject : changes.filterSubject || null,
    isActive: forwardToId !== null && isActive,
  }
}
