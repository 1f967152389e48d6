import { messageAlone } from '../core/connection.ts'
import type { Connection } from '../core/connection.ts'
import type { RequestOptions } from '../core/options.ts'
import { pageInData, toList } from '../core/pages.ts'
import type { MayflyList } from '../core/pages.ts'
import type { MayflyPromise } from '../core/promise.ts'
import type {
  ForwardingAddress, ForwardingAddressCreate, ForwardingAddressCreated, ForwardingAddressesListData,
  ForwardingAddressPage, Message,
} from '../generated/types.gen.ts'

export type ForwardingAddressListQuery = NonNullable<ForwardingAddressesListData['query']>

/** `mayfly.forwardingAddresses`: personal addresses that mail may be forwarded to, once verified. */
export function forwardingAddressOperations({ call }: Connection) {
  return {
    /**
     * Lists the forwarding addresses, newest first, verified or not.
     * @param query.limit size of the page, 1 to 100, default 20
     * @param query.offset number of addresses to skip, at most 10,000
     * @param query.before the id of a forwarding address: only older forwarding addresses
     * @example
     * const { addresses } = await mayfly.forwardingAddresses.list({ limit: 100 })
     * console.log(addresses.filter(({ isVerified }) => isVerified).map(({ email }) => email))
     */
    list(query: ForwardingAddressListQuery = {}, options?: RequestOptions): MayflyList<ForwardingAddressPage, ForwardingAddress> {
      return toList(query, (part) => call('forwardingAddresses.list', { query: part }, options, pageInData))
    },

    /**
     * Adds a forwarding address and sends it a verification email.
     * @throws ConflictError when the account has it already; InvalidRequestError when this server receives its mail;
     * RateLimitError after six verification emails to it in 24 hours
     * @example
     * const { id, isVerified } = await mayfly.forwardingAddresses.create({ email: 'ada@example.com' })
     * console.log(id, isVerified) // false, until its owner agrees on the page that the email links to
     */
    create(input: ForwardingAddressCreate, options?: RequestOptions): MayflyPromise<ForwardingAddressCreated> {
      return call('forwardingAddresses.create', { body: input }, options)
    },

    /**
     * Returns a forwarding address.
     * @throws NotFoundError when the account has no such forwarding address
     * @example
     * const { id } = await mayfly.forwardingAddresses.create({ email: 'ada@example.com' })
     * const { verifiedAt } = await mayfly.forwardingAddresses.get(id)
     * console.log(verifiedAt?.toISOString() ?? 'not verified yet')
     */
    get(id: string, options?: RequestOptions): MayflyPromise<ForwardingAddress> {
      return call('forwardingAddresses.get', { path: { id } }, options)
    },

    /**
     * Removes a forwarding address, and the rules that use it.
     * @throws NotFoundError when the account has no such forwarding address
     * @example
     * const { addresses } = await mayfly.forwardingAddresses.list()
     * if (addresses[0]) await mayfly.forwardingAddresses.delete(addresses[0].id)
     */
    delete(id: string, options?: RequestOptions): MayflyPromise<Message> {
      return call('forwardingAddresses.delete', { path: { id } }, options, messageAlone)
    },

    /**
     * Sends the verification email again, with a new link; the previous link becomes invalid.
     * @throws ConflictError with the code `ALREADY_VERIFIED` when it is verified already;
     * RateLimitError more than once a minute or five times in 24 hours
     * @example
     * const { id } = await mayfly.forwardingAddresses.create({ email: 'ada@example.com' })
     * await mayfly.forwardingAddresses.resendVerification(id)
     */
    resendVerification(id: string, options?: RequestOptions): MayflyPromise<Message> {
      return call('forwardingAddresses.resendVerification', { path: { id } }, options, messageAlone)
    },
  }
}
