import type { ApiKey, ApiKeyCreate } from '@mayfly-mail/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { queryClient } from '../../api/query-client.ts'
import { mayfly } from '../../api/session.ts'
import { showDone } from '../../ui/notify.tsx'
import { keyTexts as texts } from './texts.ts'

export const useKeys = () => useQuery({ queryKey: keys.apiKeys, queryFn: async () => mayfly.apiKeys.list() })

/** Creates a key. Its value is held by the caller's component alone: the mutation is dropped with it, and the list has no values. */
export const useCreateKey = () => useMutation({
  meta: { showsOwnError: true },
  gcTime: 0,
  mutationFn: async (input: ApiKeyCreate) => mayfly.apiKeys.create(input),
  onSuccess: () => void queryClient.invalidateQueries({ queryKey: keys.apiKeys }),
})

export const useRevokeKey = () => useMutation({
  mutationFn: async ({ id }: ApiKey) => mayfly.apiKeys.revoke(id),
  async onSuccess(_answer, { name }) {
    await queryClient.invalidateQueries({ queryKey: keys.apiKeys })
    showDone(texts.revoking.done(name))
  },
})
