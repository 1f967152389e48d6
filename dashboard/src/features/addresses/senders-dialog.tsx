import { ApiError } from '@mayfly-mail/sdk'
import type { Address, AddressUpdate } from '@mayfly-mail/sdk'
import { Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '../../api/keys.ts'
import { queryClient } from '../../api/query-client.ts'
import { mayfly } from '../../api/session.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { showDone } from '../../ui/notify.tsx'
import { formTexts } from './form-texts.ts'

const texts = formTexts.senders

const members = ['allowedSenders', 'blockedSenders'] as const

/** Whose mail an address takes, a sender on each line. */
export function SendersDialog({ address, onClose }: { address: Address, onClose: () => void }) {
  const [input, setInput] = useState({ allowedSenders: address.allowedSenders.join('\n'), blockedSenders: address.blockedSenders.join('\n') })
  // a list that is not edited is not sent: it may have been changed elsewhere
  const changes: AddressUpdate = Object.fromEntries(members
    .filter((member) => input[member] !== address[member].join('\n')).map((member) => [member, sendersIn(input[member])]))
  const save = useMutation({
    meta: { showsOwnError: true },
    mutationFn: () => mayfly.addresses.update(address.id, changes),
    async onSuccess() {
      showDone(texts.saved(address.address))
      onClose()
      await queryClient.invalidateQueries({ queryKey: keys.addresses() })
    },
  })
  const errors = fieldErrors(save.error, input)
  return (
    <FormDialog
      title={texts.title} submit={texts.save} isBusy={save.isPending} error={Object.keys(errors).length > 0 ? null : save.error}
      canSubmit={Object.keys(changes).length > 0} onSubmit={() => save.mutate()} onClose={onClose}
    >
      <Text size="sm">{texts.hint(address.address)}</Text>
      {members.map((member, index) => (
        <Textarea
          key={member} label={texts[member]} description={texts.form} value={input[member]} error={errors[member]}
          autosize minRows={2} maxRows={8} data-autofocus={index === 0 || undefined} autoComplete="off" autoCapitalize="none" spellCheck={false}
          onChange={({ currentTarget: { value } }) => setInput((current) => ({ ...current, [member]: value }))}
        />
      ))}
    </FormDialog>
  )
}

const sendersIn = (text: string) => text.split(/[\s,;]+/).filter(Boolean)

/** The messages by list, each after the sender that it is about. */
function fieldErrors(error: unknown, input: Record<typeof members[number], string>): Partial<Record<typeof members[number], string>> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.details.flatMap(({ path, message }) => members.flatMap((member) => {
    if (path !== `body.${member}` && !path.startsWith(`body.${member}.`)) return []
    const sender = sendersIn(input[member])[Number(path.split('.')[2])]
    return [[member, sender === undefined ? message : `${sender}: ${message}`]]
  })))
}
