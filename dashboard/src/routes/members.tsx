import { Button } from '@mantine/core'
import { IconLock } from '../ui/icons.tsx'
import { useState } from 'react'
import { useAccount } from '../api/account.ts'
import type { Member } from '../api/generated/types.gen.ts'
import { MemberRow } from '../features/members/member-row.tsx'
import { memberTexts as texts } from '../features/members/texts.ts'
import { useMembers, useRemoveMember } from '../features/members/use-members.ts'
import { Confirm } from '../ui/confirm.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Page } from '../ui/page.tsx'
import { Rows } from '../ui/rows.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx'

const InviteDialog = lazyPart(async () => (await import('../features/members/invite-dialog.tsx')).InviteDialog)

export function Members() {
  const { role } = useAccount()
  const [isInviting, setInviting] = useState(false)
  const [removed, setRemoved] = useState<Member>()
  if (role !== 'owner') {
    return (
      <Page title={texts.title}>
        <EmptyState icon={<IconLock size={32} stroke={1.4} aria-hidden />} title={texts.forbidden}>{texts.forbiddenHint}</EmptyState>
      </Page>
    )
  }
  return (
    <Page title={texts.title} description={texts.description} actions={<Button onClick={() => setInviting(true)}>{texts.invite}</Button>}>
      <MemberList onRemove={setRemoved} />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {removed && <RemoveDialog member={removed} onClose={() => setRemoved(undefined)} />}
    </Page>
  )
}

function MemberList({ onRemove }: { onRemove: (member: Member) => void }) {
  const { data, error, refetch } = useMembers()
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <LoadingRows height={60} count={3} />
  return (
    <Rows label={texts.list}>
      {data.map((member) => <MemberRow key={member.id} member={member} onRemove={() => onRemove(member)} />)}
    </Rows>
  )
}

function RemoveDialog({ member, onClose }: { member: Member, onClose: () => void }) {
  const remove = useRemoveMember()
  return (
    <Confirm
      title={texts.removing.title(member.email)} confirm={texts.remove} isBusy={remove.isPending} onClose={onClose}
      onConfirm={() => remove.mutate(member, { onSettled: onClose })}
    >
      {texts.removing.text}
    </Confirm>
  )
}
