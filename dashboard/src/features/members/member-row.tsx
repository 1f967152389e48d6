import { Badge, Button, Group, NativeSelect, Text } from '@mantine/core'
import { useAccount } from '../../api/account.ts'
import type { Member, MemberCreate } from '../../api/generated/types.gen.ts'
import { describeError } from '../../ui/describe-error.ts'
import { RelativeTime, useNow } from '../../ui/relative-time.tsx'
import { Row } from '../../ui/rows.tsx'
import { InvitationDialog, roleOptions } from './invite-dialog.tsx'
import { roleName, memberTexts as texts } from './texts.ts'
import { useChangeRole, useInvite } from './use-members.ts'

export function MemberRow({ member, onRemove }: { member: Member, onRemove: () => void }) {
  const { id, email, isFirst, state } = member
  const { userEmail } = useAccount()
  const nameId = `member-${id}`
  return (
    <Row
      actions={!isFirst && (
        <Group gap="xs">
          {state === 'invited' && <NewLink member={member} />}
          <RoleSelect member={member} />
          <Button size="xs" variant="default" aria-describedby={nameId} onClick={onRemove}>{texts.remove}</Button>
        </Group>
      )}
    >
      <Group gap="xs">
        <Text fw={600} size="sm" id={nameId}><bdi>{email}</bdi></Text>
        {isFirst && <Badge size="sm" variant="light" tt="none">{roleName(member.role)}</Badge>}
        {email === userEmail && <Badge size="sm" variant="default" tt="none">{texts.you}</Badge>}
      </Group>
      <Text size="xs" c="dimmed"><Standing member={member} /></Text>
    </Row>
  )
}

/** Since when the person is a member, or how long the invitation holds. */
function Standing({ member: { isFirst, createdAt, invitationExpiresAt } }: { member: Member }) {
  const now = useNow(60)
  if (isFirst) return <>{texts.first}</>
  if (invitationExpiresAt === null) return <>{texts.joined} <RelativeTime at={createdAt} /></>
  if (Date.parse(invitationExpiresAt) <= now) return <>{texts.expired}</>
  return <>{texts.invited} <RelativeTime at={invitationExpiresAt} /></>
}

function RoleSelect({ member }: { member: Member }) {
  const { email, role } = member
  const change = useChangeRole(member)
  const known = roleOptions.some(({ value }) => value === role) ? roleOptions : [...roleOptions, { value: role, label: role }]
  return (
    <NativeSelect
      size="xs" aria-label={texts.roleOf(email)} value={change.isPending ? change.variables : role} disabled={change.isPending} data={known}
      onChange={({ currentTarget }) => change.mutate(currentTarget.value as MemberCreate['role'])}
    />
  )
}

function NewLink({ member: { email, role } }: { member: Member }) {
  const invite = useInvite()
  return (
    <>
      <Button size="xs" variant="default" loading={invite.isPending} aria-label={texts.againFor(email)} onClick={() => invite.mutate({ email, role: role as MemberCreate['role'] })}>
        {texts.again}
      </Button>
      {invite.error && <Text c="red" size="xs" role="alert">{describeError(invite.error)}</Text>}
      {invite.data && <InvitationDialog invited={invite.data} onClose={invite.reset} />}
    </>
  )
}
