import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useDraft } from '../../api/drafts.ts'
import type { MemberCreate, MemberInvited } from '../../api/generated/types.gen.ts'
import { CopiedValue } from '../../ui/copied-value.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { roleName, memberTexts as texts } from './texts.ts'
import { useInvite } from './use-members.ts'

const roles = ['viewer', 'member', 'owner'] as const

export const roleOptions = roles.map((value) => ({ value, label: roleName(value) }))

/** Invites a person; then shows the link, once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useDraft('member-email')
  const [role, setRole] = useState<MemberCreate['role']>('member')
  const invite = useInvite()
  if (invite.data) return <InvitationDialog invited={invite.data} onClose={onClose} />
  return (
    <FormDialog
      title={texts.invite} submit={texts.invite} isBusy={invite.isPending} error={invite.error} canSubmit={email.trim() !== ''}
      onSubmit={() => invite.mutate({ email: email.trim(), role }, { onSuccess: () => setEmail('') })} onClose={onClose}
    >
      <TextInput
        label={texts.email} type="email" autoComplete="off" value={email} data-autofocus onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <NativeSelect
        label={texts.role} data={roleOptions} value={role} onChange={({ currentTarget }) => setRole(currentTarget.value as MemberCreate['role'])}
      />
    </FormDialog>
  )
}

/** The link of an invitation. */
export const InvitationDialog = ({ invited: { email, invitationUrl }, onClose }: { invited: MemberInvited, onClose: () => void }) => (
  <Dialog title={texts.link.title} onClose={onClose}>
    <Stack>
      {invitationUrl
        ? (
            <>
              <Text size="sm">{texts.link.text(email)}</Text>
              <CopiedValue label={texts.link.label} value={invitationUrl} copyLabel={texts.link.copy} />
            </>
          )
        : <Alert color="red" role="alert">{texts.link.missing}</Alert>}
      <Group justify="end"><Button onClick={onClose} data-autofocus>{texts.link.done}</Button></Group>
    </Stack>
  </Dialog>
)
