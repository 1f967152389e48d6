import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
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

/** @param onSent gets the id of the mail @param parent the mail that it answers: the server knows the recipient and the subject then */
export function SendForm({ onSent, parent }: { onSent: (id: string) => void, parent?: Email }) {
  const form = parent ? `reply-${parent.id}` : 'send'
  const [search, setSearch] = useState('')
  const answering = parent && { value: parent.addressId, label: parent.type === 'sent' ? parent.from : parent.to }
  const [from, setFrom] = useState(answering)
  const [to, setTo] = useDraft(`${form}-to`)
  const [subject, setSubject] = useDraft(`${form}-subject`)
  const [text, setText] = useDraft(`${form}-text`)
  const addresses = useAddressSearch(search === from?.label ? '' : search, 10)
  const newest = addresses.searched[0]
  const sender = from ?? (newest && { value: newest.id, label: newest.address })
  const client = useQueryClient()
  const send = useMutation({
    meta: { showsOwnError: true },
    mutationFn: () => {
      const mail = { fromAddressId: sender!.value, to: to.trim(), subject, body: text }
      if (!parent) return mayfly.emails.send(mail)
      return mayfly.emails.send({ ...mail, to: mail.to || undefined, subject: subject || undefined, inReplyToId: parent.id })
    },
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
    <form
      aria-label={parent ? texts.reply : texts.form}
      onSubmit={(event) => { event.preventDefault(); if (!send.isPending) send.mutate() }}
    >
      <Stack gap="sm">
        {parent && <Text size="sm" fw={500}><bdi>{texts.replyTo(parent.subject || texts.noSubject)}</bdi></Text>}
        <Select
          label={texts.from} placeholder={texts.fromHint} searchable data={options}
          value={sender?.value ?? null} required withAsterisk={false} allowDeselect={false}
          nothingFoundMessage={texts.noMatch} onSearchChange={setSearch}
          onChange={(_value, option) => option && setFrom({ value: option.value, label: option.label })}
        />
        <TextInput
          label={texts.to} placeholder={parent ? answered(parent) : texts.toHint} required={!parent} withAsterisk={false} autoComplete="email"
          value={to} onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
        <TextInput
          label={texts.subject} placeholder={parent && texts.replySubject} required={!parent} withAsterisk={false} maxLength={maxSubjectLength} autoComplete="off" value={subject} dir="auto"
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

/** To whom a reply goes. */
function answered({ type, to, from, headers }: Email): string {
  const asked = Object.entries(headers).find(([name]) => name.toLowerCase() === 'reply-to')
  return type === 'sent' ? to : asked?.[1] ?? from
}
