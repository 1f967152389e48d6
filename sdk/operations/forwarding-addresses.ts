import { client } from '../client.ts'
import { said } from '../connection.ts'
import type { Connection } from '../connection.ts'
import {
  forwardingAddressesCreate, forwardingAddressesDelete, forwardingAddressesGet, forwardingAddressesList,
  forwardingAddressesResendVerification,
} from '../generated/sdk.gen.ts'
import type {
  ForwardingAddress, ForwardingAddressCreate, ForwardingAddressCreated, ForwardingAddressesListData,
  ForwardingAddressesListResponse, Message,
} from '../generated/types.gen.ts'
import type { RequestOptions } from '../options.ts'
import { pageInData, toList } from '../pages.ts'
import type { MayflyList } from '../pages.ts'
import type { MayflyPromise } from '../promise.ts'

export type ForwardingAddressListQuery = NonNullable<ForwardingAddressesListData['query']>
export type ForwardingAddressPage = ForwardingAddressesListResponse['data']

/** `mayfly.forwardingAddresses`: personal addresses that mail may be forwarded to, once verified. */
export function forwardingAddressOperations({ call }: Connection) {
  return {
    /**
     * Lists the forwarding addresses, newest first, verified or not.
     * @param query.limit size of the page, 1 to 100, default 20
     * @param query.offset number of addresses to skip, at most 10,000
     * @param query.before the id of a forwarding address: only older ones
     * @example
     * const { addresses } = await mayfly.forwardingAddresses.list({ limit: 100 })
     * console.log(addresses.filter(({ isVerified }) => isVerified).map(({ email }) => email))
     */
    list(query: ForwardingAddressListQuery = {}, options?: RequestOptions): MayflyList<ForwardingAddressPage, ForwardingAddress> {
      return toList(query, (part) => call('forwardingAddresses.list', forwardingAddressesList({ client, query: part }), options, pageInData))
    },

    /**
     * Adds a forwarding address and sends it a verification email.
     * @throws ConflictError when the account has it already; InvalidRequestError when its mail comes to this server;
     * RateLimitError when it was sent six verification emails in 24 hours
     * @example
     * const { id, isVerified } = await mayfly.forwardingAddresses.create({ email: 'ada@example.com' })
     * console.log(id, isVerified) // false, until its owner agrees on the page that the email links to
     */
    create(wish: ForwardingAddressCreate, options?: RequestOptions): MayflyPromise<ForwardingAddressCreated> {
      return call('forwardingAddresses.create', forwardingAddressesCreate({ client, body: wish }), options)
    },

    /**
     * Returns one forwarding address.
     * @throws NotFoundError when the account has no such forwarding address
     * @example
     * const { id } = await mayfly.forwardingAddresses.create({ email: 'ada@example.com' })
     * const { verifiedAt } = await mayfly.forwardingAddresses.get(id)
     * console.log(verifiedAt?.toISOString() ?? 'not verified yet')
     */
    get(id: string, options?: RequestOptions): MayflyPromise<ForwardingAddress> {
      return call('forwardingAddresses.get', forwardingAddressesGet({ client, path: { id } }), options)
    },

    /**
     * Removes a forwarding address, and the rules that use it.
     * @throws NotFoundError when the account has no such forwarding address
     * @example
     * const { addresses } = await mayfly.forwardingAddresses.list()
     * if (addresses[0]) await mayfly.forwardingAddresses.delete(addresses[0].id)
     */
    delete(id: string, options?: RequestOptions): MayflyPromise<Message> {
      return call('forwardingAddresses.delete', forwardingAddressesDelete({ client, path: { id } }), options, said)
    },

    /**
     * Sends the verification email again, with a new link; the one before holds no longer.
     * @throws ConflictError with the code `ALREADY_VERIFIED` when there is nothing left to verify;
     * RateLimitError more than once a minute or five times in 24 hours
     * @example
     * const { id } = await mayfly.forwardingAddresses.create({ email: 'ada@example.com' })
     * await mayfly.forwardingAddresses.resendVerification(id)
     */
    resendVerification(id: string, options?: RequestOptions): MayflyPromise<Message> {
      return call('forwardingAddresses.resendVerification', forwardingAddressesResendVerification({ client, path: { id } }), options, said)
    },
  }
}
