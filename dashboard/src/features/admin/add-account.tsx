import { NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDraft } from '../../api/drafts.ts'
import type { ManagedAccountCreate } from '../../api/generated/types.gen.ts'
import { keys } from '../../api/keys.ts'
import { accountsCreate, dataOf } from '../../api/own-operations.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { showDone } from '../../ui/notify.tsx'
import { planOptions } from './plans.ts'
import { adminTexts } from './texts.ts'

const texts = adminTexts.accounts

export function AddAccount({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useDraft('account-email')
  const [plan, setPlan] = useState<ManagedAccountCreate['plan']>('free')
  const client = useQueryClient()
  const add = useMutation({
    meta: { showsOwnError: true },
    mutationFn: () => dataOf(accountsCreate({ body: { email: email.trim(), plan } })),
    async onSuccess(added) {
      await client.invalidateQueries({ queryKey: keys.admin('accounts') })
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
        label={texts.email} description={texts.emailHint} type="email" autoComplete="off" value={email} data-autofocus
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <NativeSelect
        label={texts.plan} data={planOptions()} value={plan} onChange={({ currentTarget }) => setPlan(currentTarget.value as ManagedAccountCreate['plan'])}
      />
    </FormDialog>
  )
}
