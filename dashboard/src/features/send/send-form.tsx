import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDraft } from '../../api/drafts.ts'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import { describeError } from '../../ui/describe-error.ts'
import { useAddressSearch } from '../addresses/use-address-search.ts'
import { sendTexts as texts } from './texts.ts'

/** Addresses that the list of senders shows at once. */
const maxOptions = 50
// of the API
const maxSubjectLength = 200
const maxTextLength = 50_000

/** @param onSent gets the id of the mail */
export function SendForm({ onSent }: { onSent: (id: string) => void }) {
  const [search, setSearch] = useState('')
  const [from, setFrom] = useState<{ value: string, label: string }>()
  const [to, setTo] = useDraft('send-to')
  const [subject, setSubject] = useDraft('send-subject')
  const [text, setText] = useDraft('send-text')
  const addresses = useAddressSearch(search === from?.label ? '' : search, 10)
  const newest = addresses.searched[0]
  const sender = from ?? (newest && { value: newest.id, label: newest.address })
  const client = useQueryClient()
  const send = useMutation({
    meta: { showsOwnError: true },
    mutationFn: () => mayfly.emails.send({ fromAddressId: sender!.value, to: to.trim(), subject, body: text }),
    onSuccess({ id }) {
      onSent(id)
      setSubject('')
      setText('')
      void client.invalidateQueries({ queryKey: keys.emails() })
    },
  })
  const options = addresses.matches.slice(0, maxOptions).map(({ id, address }) => ({ value: id, label: address }))
  if (sender && !options.some(({ value }) => value === sender.value)) options.unshift(sender)
  return (
    <form aria-label={texts.form} onSubmit={(event) => { event.preventDefault(); if (!send.isPending) send.mutate() }}>
      <Stack gap="sm">
        <Select
          label={texts.from} placeholder={texts.fromHint} searchable data={options}
          value={sender?.value ?? null} required withAsterisk={false} allowDeselect={false}
          nothingFoundMessage={texts.noMatch} onSearchChange={setSearch}
          onChange={(_value, option) => option && setFrom({ value: option.value, label: option.label })}
        />
        <TextInput
          label={texts.to} placeholder={texts.toHint} required withAsterisk={false} autoComplete="email"
          value={to} onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
        <TextInput
          label={texts.subject} required withAsterisk={false} maxLength={maxSubjectLength} autoComplete="off" value={subject} dir="auto"
          onChange={({ currentTarget }) => setSubject(currentTarget.value)}
        />
        <Textarea
          label={texts.text} required withAsterisk={false} autosize minRows={6} maxRows={20} maxLength={maxTextLength} value={text} dir="auto"
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {send.isError && <Text c="red" size="sm" role="alert">{describeError(send.error)}</Text>}
        <Group justify="end"><Button type="submit" size="sm" loading={send.isPending}>{texts.send}</Button></Group>
      </Stack>
    </form>
  )
}
