import type { Email, EmailUpdate } from '@mayfly-mail/sdk'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'

/** Milliseconds until a status is read again that no event tells of. */
const refreshMs: Record<string, number> = { queued: 2_000, sending: 2_000, deferred: 15_000 }
const checkMs = 3_000

/** The results of SPF, DKIM and DMARC come within this time after the mail, or never. */
const maxCheckMs = 60_000

const emailQuery = (id: string) => queryOptions({
  queryKey: keys.email(id),
  queryFn: ({ signal }) => mayfly.emails.get(id, { signal }),
  refetchInterval: ({ state: { data } }) => data ? refreshAfter(data) : false,
})

/** Whether the server asks for no SPF, DKIM and DMARC of a mail, by the way in which it came. */
export const isUnchecked = ({ envelope }: Email): boolean => envelope?.via === 'login' || envelope?.via === 'server'

function refreshAfter(email: Email): number | false {
  const { type, status, forwarding, authentication, receivedAt } = email
  const delay = refreshMs[status ?? forwarding?.status ?? '']
  if (delay) return delay
  const isChecking = type === 'received' && !authentication && !isUnchecked(email) && Date.now() - new Date(receivedAt).getTime() < maxCheckMs
  return isChecking ? checkMs : false
}

/** A whole mail; it is read again until its checks, its delivery and its forwarding have ended. */
export const useEmail = (id: string) => useQuery(emailQuery(id))

/** The changes of a mail that its reader offers. */
export interface EmailActions {
  update: (marks: EmailUpdate) => void
  remove: () => void
}

/** Marks show at once, and go back if the server refuses them. @param onRemoved the mail was deleted */
export function useEmailActions(id: string, onRemoved: () => void): EmailActions {
  const client = useQueryClient()
  const { queryKey } = emailQuery(id)
  const refreshLists = () => Promise.all([
    client.invalidateQueries({ queryKey: keys.emails() }), client.invalidateQueries({ queryKey: keys.addresses() }),
  ])
  const update = useMutation({
    mutationFn: (marks: EmailUpdate) => mayfly.emails.update(id, marks),
    onMutate(marks) {
      const before = client.getQueryData(queryKey)
      if (before) client.setQueryData(queryKey, { ...before, ...marks })
      return { before }
    },
    onError: (_error, _marks, context) => { if (context?.before) client.setQueryData(queryKey, context.before) },
    onSuccess: (email) => client.setQueryData(queryKey, (before) => before && { ...before, ...email }),
    onSettled: refreshLists,
  })
  const remove = useMutation({
    mutationFn: () => mayfly.emails.delete(id),
    async onSuccess() {
      onRemoved()
      await Promise.all([refreshLists(), client.invalidateQueries({ queryKey })])
    },
  })
  return { update: (marks) => update.mutate(marks), remove: () => remove.mutate() }
}
