import { useMutation, useQuery } from '@tanstack/react-query'
import type { Member, MemberCreate } from '../../api/generated/types.gen.ts'
import { keys } from '../../api/keys.ts'
import { dataOf, membersCreate, membersDelete, membersList, membersUpdate } from '../../api/own-operations.ts'
import { queryClient } from '../../api/query-client.ts'
import { showDone } from '../../ui/notify.tsx'
import { memberTexts as texts, roleName } from './texts.ts'

const refresh = () => Promise.all([
  queryClient.invalidateQueries({ queryKey: keys.members }), queryClient.invalidateQueries({ queryKey: keys.account }), // of the own role
])

export const useMembers = () => useQuery({ queryKey: keys.members, queryFn: () => dataOf(membersList()) })

/** Invites a person, or makes a new link. The link is held by the caller's component alone. */
export const useInvite = () => useMutation({
  meta: { showsOwnError: true },
  gcTime: 0,
  mutationFn: (input: MemberCreate) => dataOf(membersCreate({ body: input })),
  onSuccess: refresh,
})

export const useChangeRole = ({ id, email }: Member) => useMutation({
  mutationFn: (role: MemberCreate['role']) => membersUpdate({ path: { id }, body: { role } }),
  async onSuccess(_answer, role) {
    await refresh()
    showDone(texts.roleChanged(email, roleName(role)))
  },
})

export const useRemoveMember = () => useMutation({
  mutationFn: ({ id }: Member) => membersDelete({ path: { id } }),
  async onSuccess(_answer, { email }) {
    await refresh()
    showDone(texts.removing.done(email))
  },
})
