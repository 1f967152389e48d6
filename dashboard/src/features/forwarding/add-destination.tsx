import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useDraft } from '../../api/drafts.ts'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { showDone } from '../../ui/notify.tsx'
import { forwardingTexts } from './texts.ts'

const texts = forwardingTexts.destinations

export function AddDestination({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useDraft('destination')
  const client = useQueryClient()
  const add = useMutation({
    meta: { showsOwnError: true },
    mutationFn: () => mayfly.forwardingAddresses.create({ email: email.trim() }),
    async onSuccess(added) {
      await client.invalidateQueries({ queryKey: keys.forwarding('addresses') })
      showDone(texts.added(added.email))
      onClose()
    },
  })
  return (
    <FormDialog
      title={texts.add} submit={texts.add} isBusy={add.isPending} error={add.error} canSubmit={email.trim() !== ''}
      onSubmit={() => add.mutate()} onClose={onClose}
    >
      <TextInput
        label={texts.email} description={texts.addHint} type="email" autoComplete="email" value={email} data-autofocus
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
    </FormDialog>
  )
}
