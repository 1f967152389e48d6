import { createOwnKey, listOwnKeys, revokeOwnKey } from '../../domain/api-keys.ts'
import { change } from './change.ts'
import type { ApiReply, HandlersOf } from './handler.ts'

export const apiKeys = {
  async 'apiKeys.list'(app, { caller }) {
    return { data: await listOwnKeys(app, caller) }
  },

  'apiKeys.create': change({
    run: (tx, { caller, body }, app) => createOwnKey(tx, app, caller, body),
    reply: (data) => ({ data }),
    toRepeat: withoutValue,
  }),

  'apiKeys.revoke': change({
    run: (tx, { caller, path }) => revokeOwnKey(tx, caller, path.id),
    reply: () => ({ message: 'The API key is revoked.' }),
  }),
} satisfies HandlersOf<'apiKeys'>

/** The value of a key is shown once. JSON leaves out a member that is undefined. */
function withoutValue({ data }: ApiReply<'apiKeys.create'>): ApiReply<'apiKeys.create'> {
  return { data: { ...data, key: undefined } }
}
