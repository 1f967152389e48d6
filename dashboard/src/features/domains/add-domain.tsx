import { TextInput } from '@mantine/core'
import type { DomainCreated } from '@mayfly-mail/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useDraft } from '../../api/drafts.ts'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { domainTexts as texts } from './texts.ts'

interface AddDomainProps {
  onAdded: (domain: DomainCreated) => void
  onClose: () => void
}

export function AddDomain({ onAdded, onClose }: AddDomainProps) {
  const [domain, setDomain] = useDraft('domain')
  const client = useQueryClient()
  const add = useMutation({
    meta: { showsOwnError: true },
    mutationFn: () => mayfly.domains.create({ domain: domain.trim() }),
    async onSuccess(added) {
      await client.invalidateQueries({ queryKey: keys.domains('list') })
      onAdded(added)
    },
  })
  return (
    <FormDialog
      title={texts.add} submit={texts.add} isBusy={add.isPending} error={add.error} canSubmit={domain.trim() !== ''}
      onSubmit={() => add.mutate()} onClose={onClose}
    >
      <TextInput
        label={texts.name} placeholder={texts.example} description={texts.addHint} value={domain} data-autofocus
        autoComplete="off" autoCapitalize="none" spellCheck={false} onChange={({ currentTarget }) => setDomain(currentTarget.value)}
      />
    </FormDialog>
  )
}
