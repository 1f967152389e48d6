import { messageAlone } from '../core/connection.ts'
import type { Connection } from '../core/connection.ts'
import type { RequestOptions } from '../core/options.ts'
import { pageInData, toList } from '../core/pages.ts'
import type { MayflyList } from '../core/pages.ts'
import type { MayflyPromise } from '../core/promise.ts'
import type { ApiKey, ApiKeyCreate, ApiKeyCreated, Message } from '../generated/types.gen.ts'

/** `mayfly.apiKeys`: keys that can do at most what the key of the client can, which needs the scope `keys:manage`. */
export function apiKeyOperations({ call }: Connection) {
  return {
    /**
     * Lists the key of the client and the keys that it made, newest first, without their values.
     * @example
     * for (const { name, bounds, expiresAt } of await mayfly.apiKeys.list()) console.log(name, bounds, expiresAt)
     */
    list(options?: RequestOptions): MayflyList<ApiKey[], ApiKey> {
      return toList({}, () => call('apiKeys.list', {}, options, pageInData))
    },

    /**
     * Creates a key, and returns its value, once. Members that are left out are those of the key of the client.
     * @param input.bounds the addresses that it may use
     * @param input.expiresIn seconds after which it ends
     * @throws PermissionError when it could do more than the key of the client
     * @throws ConflictError when the account has as many keys as it may
     * @example
     * const { id, key } = await mayfly.apiKeys.create({
     *   name: 'agent', scopes: ['emails:read', 'emails:write'], bounds: { aliasPrefix: 'agent-', maxAddresses: 5 }, expiresIn: 3600,
     * })
     */
    create(input: ApiKeyCreate, options?: RequestOptions): MayflyPromise<ApiKeyCreated> {
      return call('apiKeys.create', { body: input }, options)
    },

    /**
     * Revokes the key of this client, or a key that it created, and all keys that were created with the revoked key.
     * @throws NotFoundError when there is no such key
     * @example
     * const { id } = await mayfly.apiKeys.create({ name: 'agent', scopes: ['emails:read'] })
     * await mayfly.apiKeys.revoke(id)
     */
    revoke(id: string, options?: RequestOptions): MayflyPromise<Message> {
      return call('apiKeys.revoke', { path: { id } }, options, messageAlone)
    },
  }
}
