import { call } from '../call.ts'
import type { RequestOptions } from '../call.ts'
import type { Connection } from '../connection.ts'
import { ForwardingAddresses } from '../generated/sdk.gen.ts'
import type {
  ForwardingAddress, ForwardingAddressCreate, ForwardingAddressCreated, ForwardingAddressesListData,
  ForwardingAddressesListResponse, Message,
} from '../generated/types.gen.ts'
import { needId } from '../ids.ts'

export type ForwardingAddressListQuery = NonNullable<ForwardingAddressesListData['query']>
export type ForwardingAddressPage = ForwardingAddressesListResponse['data']

/** `mayfly.forwardingAddresses`: personal addresses that mail may be forwarded to, once verified. */
export function forwardingAddressOperations(connection: Connection) {
  const api = new ForwardingAddresses({ client: connection.client })
  return {
    /**
     * Lists the forwarding addresses, newest first, verified or not.
     * @param query.limit size of the page, 1 to 100, default 20
     * @param query.offset number of addresses to skip
     * @example
     * const { addresses } = await mayfly.forwardingAddresses.list({ limit: 100 })
     * console.log(addresses.filter(({ isVerified }) => isVerified).map(({ email }) => email))
     */
    async list(query: ForwardingAddressListQuery = {}, options?: RequestOptions): Promise<ForwardingAddressPage> {
      const { body } = await call(connection, (request) => api.list({ ...request, query }), 'data', options)
      return body.data
    },

    /**
     * Adds a forwarding address and sends it a verification email.
     * @throws ConflictError when the account has it already; InvalidRequestError when its mail comes to this server;
     * RateLimitError when it was sent six verification emails in 24 hours
     * @example
     * const { id, isVerified } = await mayfly.forwardingAddresses.create({ email: 'ada@example.com' })
     * console.log(id, isVerified) // false, until its owner agrees on the page that the email links to
     */
    async create(wish: ForwardingAddressCreate, options?: RequestOptions): Promise<ForwardingAddressCreated> {
      const { body } = await call(connection, (request) => api.create({ ...request, body: wish }), 'data', options)
      return body.data
    },

    /**
     * Returns one forwarding address.
     * @throws NotFoundError when the account has no such forwarding address
     * @example
     * const { id } = await mayfly.forwardingAddresses.create({ email: 'ada@example.com' })
     * const { verifiedAt } = await mayfly.forwardingAddresses.get(id)
     * console.log(verifiedAt?.toISOString() ?? 'not verified yet')
     */
    async get(id: string, options?: RequestOptions): Promise<ForwardingAddress> {
      const path = { id: needId(id, 'forwardingAddresses.get', 'a forwarding address id') }
      const { body } = await call(connection, (request) => api.get({ ...request, path }), 'data', options)
      return body.data
    },

    /**
     * Removes a forwarding address, and the rules that use it.
     * @throws NotFoundError when the account has no such forwarding address
     * @example
     * const { addresses } = await mayfly.forwardingAddresses.list()
     * if (addresses[0]) await mayfly.forwardingAddresses.delete(addresses[0].id)
     */
    async delete(id: string, options?: RequestOptions): Promise<Message> {
      const path = { id: needId(id, 'forwardingAddresses.delete', 'a forwarding address id') }
      const { body } = await call(connection, (request) => api.delete({ ...request, path }), 'message', options)
      return body
    },

    /**
     * Sends the verification email again, with a new link; the one before holds no longer.
     * @throws ConflictError with the code `ALREADY_VERIFIED` when there is nothing left to verify;
     * RateLimitError more than once a minute or five times in 24 hours
     * @example
     * const { id } = await mayfly.forwardingAddresses.create({ email: 'ada@example.com' })
     * await mayfly.forwardingAddresses.resendVerification(id)
     */
    async resendVerification(id: string, options?: RequestOptions): Promise<Message> {
      const path = { id: needId(id, 'forwardingAddresses.resendVerification', 'a forwarding address id') }
      const { body } = await call(
        connection, (request) => api.resendVerification({ ...request, path }), 'message', options,
      )
      return body
    },
  }
}
