import { useMutation, useQuery } from '@tanstack/react-query'
import type { ApiKey, ApiKeyCreate } from '../../api/generated/types.gen.ts'
import { keys } from '../../api/keys.ts'
import { apiKeysCreate, apiKeysList, apiKeysRevoke, dataOf } from '../../api/own-operations.ts'
import { queryClient } from '../../api/query-client.ts'
import { showDone } from '../../ui/notify.tsx'
import { keyTexts as texts } from './texts.ts'

export const useKeys = () => useQuery({ queryKey: keys.apiKeys, queryFn: () => dataOf(apiKeysList()) })

/** Creates a key. Its value is held by the caller's component alone: the mutation is dropped with it, and the list has no values. */
export const useCreateKey = () => useMutation({
  meta: { showsOwnError: true },
  gcTime: 0,
  mutationFn: (input: ApiKeyCreate) => dataOf(apiKeysCreate({ body: input })),
  onSuccess: () => void queryClient.invalidateQueries({ queryKey: keys.apiKeys }),
})

export const useRevokeKey = () => useMutation({
  mutationFn: ({ id }: ApiKey) => apiKeysRevoke({ path: { id } }),
  async onSuccess(_answer, { name }) {
    await queryClient.invalidateQueries({ queryKey: keys.apiKeys })
    showDone(texts.revoking.done(name))
  },
})
