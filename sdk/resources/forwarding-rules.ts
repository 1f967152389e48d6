import type { Connection } from '../core/connection.ts'
import type { RequestOptions } from '../core/options.ts'
import type { MayflyPromise } from '../core/promise.ts'
import type { ForwardingRule, ForwardingRuleUpdate } from '../generated/types.gen.ts'

/** `mayfly.forwardingRules`: for each temporary address a rule with the filters and the target of forwarded mail. */
export function forwardingRuleOperations({ call }: Connection) {
  return {
    /**
     * Returns the rule of an address. Without one, `isActive` is false and every other member null.
     * @throws NotFoundError when the account has no such address
     * @example
     * const { id } = await mayfly.addresses.create()
     * const { isActive, forwardToEmail } = await mayfly.forwardingRules.get(id)
     * console.log(isActive ? `forwarded to ${forwardToEmail}` : 'not forwarded')
     */
    get(addressId: string, options?: RequestOptions): MayflyPromise<ForwardingRule> {
      return call('forwardingRules.get', { path: { addressId } }, options)
    },

    /**
     * Changes the rule of an address; the first change creates it, and needs a `forwardToId`. Mail is forwarded when every filter matches.
     * @param changes.forwardToId a verified forwarding address, which also switches the rule on unless `isActive` is false;
     * null switches it off and keeps its filters
     * @throws InvalidRequestError when the address has no rule yet and no `forwardToId` is given
     * @throws NotFoundError when the account has no such address or forwarding address
     * @throws ConflictError with the code `NOT_VERIFIED` when the forwarding address is not verified
     * @example
     * const { id } = await mayfly.addresses.create()
     * const { addresses } = await mayfly.forwardingAddresses.list()
     * await mayfly.forwardingRules.update(id, {
     *   forwardToId: addresses[0]!.id, filterSender: '@shop.example', isActive: true,
     * })
     */
    update(addressId: string, changes: ForwardingRuleUpdate, options?: RequestOptions): MayflyPromise<ForwardingRule> {
      return call('forwardingRules.update', { path: { addressId }, body: changes }, options)
    },
  }
}
