import { Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ManagedAccount } from '../../api/generated/types.gen.ts'
import { keys } from '../../api/keys.ts'
import { accountsDelete } from '../../api/own-operations.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { showDone } from '../../ui/notify.tsx'
import { adminTexts } from './texts.ts'

const texts = adminTexts.accounts

/** The address has to be typed: rows of accounts look alike, and all data of the account is deleted with it. */
export function DeleteAccount({ account: { id, email }, onClose }: { account: ManagedAccount, onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const client = useQueryClient()
  const remove = useMutation({
    meta: { showsOwnError: true },
    mutationFn: () => accountsDelete({ path: { id } }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: keys.admin() })
      showDone(texts.removed(email))
      onClose()
    },
  })
  return (
    <FormDialog
      title={texts.removeTitle} submit={texts.removeConfirm} isBusy={remove.isPending} error={remove.error}
      isDangerous canSubmit={typed.trim() === email}
      onSubmit={() => remove.mutate()} onClose={onClose}
    >
      <Text size="sm">{texts.removeHint}</Text>
      <TextInput
        label={texts.removeType(email)} autoComplete="off" autoCapitalize="none" spellCheck={false} value={typed} data-autofocus
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </FormDialog>
  )
}
