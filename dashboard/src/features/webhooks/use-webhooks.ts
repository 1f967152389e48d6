import type { Webhook, WebhookCreate, WebhookUpdate } from '@mayfly-mail/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { queryClient } from '../../api/query-client.ts'
import { mayfly } from '../../api/session.ts'

const refresh = () => queryClient.invalidateQueries({ queryKey: keys.webhooks() })

export const useWebhooks = () => useQuery({ queryKey: keys.webhooks('list'), queryFn: async () => mayfly.webhooks.list() })

export const useWebhook = (id: string) => useQuery({ queryKey: keys.webhooks('one', id), queryFn: async () => mayfly.webhooks.get(id) })

/** Its answer has the secret, which no cache keeps: the mutation is dropped with its component. */
export const useCreateWebhook = () => useMutation({
  meta: { showsOwnError: true },
  gcTime: 0,
  mutationFn: async (input: WebhookCreate) => mayfly.webhooks.create(input),
  onSuccess: () => void refresh(),
})

/** Its answer has the secret, as that of `useCreateWebhook`. */
export const useRotateSecret = () => useMutation({
  gcTime: 0,
  mutationFn: async (id: string) => mayfly.webhooks.rotateSecret(id),
})

export const useUpdateWebhook = ({ showsOwnError = false } = {}) => useMutation({
  meta: { showsOwnError },
  mutationFn: async ({ id, changes }: { id: string, changes: WebhookUpdate }) => mayfly.webhooks.update(id, changes),
  onSuccess: refresh,
})

/** The deleted webhook leaves the list before its page is left. */
export const useDeleteWebhook = () => useMutation({
  mutationFn: async (id: string) => mayfly.webhooks.delete(id),
  onSuccess(_answer, id) {
    queryClient.setQueryData<Webhook[]>(keys.webhooks('list'), (list) => list?.filter((webhook) => webhook.id !== id))
  },
})

export const useTestWebhook = () => useMutation({
  mutationFn: async (id: string) => mayfly.webhooks.test(id),
  onSuccess: (_delivery, id) => queryClient.invalidateQueries({ queryKey: keys.webhooks('deliveries', id) }),
})
