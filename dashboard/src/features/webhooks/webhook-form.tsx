import type { Webhook, WebhookCreate, WebhookEvent, WebhookForm as Form } from '@mayfly-mail/sdk'
import { Alert, Button, Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { useDraft } from '../../api/drafts.ts'
import { texts as common } from '../../texts.ts'
import { describeError } from '../../ui/describe-error.ts'
import { AddressFilter } from './address-filter.tsx'
import { deliveryFormTexts, eventTexts, webhookTexts } from './texts.ts'

const texts = webhookTexts.form

interface WebhookFormProps {
  /** The webhook that is edited; a new one without it. */
  webhook?: Webhook
  /** The label of the button that submits. */
  submitLabel: string
  isBusy: boolean
  error: unknown
  onSubmit: (input: WebhookCreate) => void
  onClose: () => void
}

export function WebhookForm({ webhook, submitLabel, isBusy, error, onSubmit, onClose }: WebhookFormProps) {
  const [url, setUrl] = useDraft(`webhook-url-${webhook?.id ?? ''}`, webhook?.url)
  const [events, setEvents] = useState<string[]>(webhook?.events ?? ['email.received'])
  const [addressIds, setAddressIds] = useState(webhook?.addressIds ?? [])
  const [form, setForm] = useState<string>(webhook?.form ?? 'both')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const isComplete = url.trim() !== '' && events.length > 0

  function submit(event: FormEvent) {
    event.preventDefault()
    setIsSubmitted(true)
    if (!isComplete || isBusy) return
    onSubmit({
      url: url.trim(), events: events as WebhookEvent[], addressIds: addressIds.length > 0 ? addressIds : null, form: form as Form,
    })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={texts.url} description={texts.urlHint} type="url" maxLength={2048} autoComplete="off" data-autofocus
          value={url} onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          error={isSubmitted && url.trim() === '' && texts.urlMissing}
        />
        <Checkbox.Group
          label={texts.events} value={events} onChange={setEvents} error={isSubmitted && events.length === 0 && texts.eventsMissing}
        >
          <Stack gap="xs" my="xs">
            {Object.entries(eventTexts).map(([event, description]) => (
              <Checkbox key={event} value={event} label={event} description={description} />
            ))}
          </Stack>
        </Checkbox.Group>
        <AddressFilter value={addressIds} onChange={setAddressIds} />
        <Radio.Group label={texts.form} value={form} onChange={setForm}>
          <Stack gap="xs" my="xs">
            {Object.entries(deliveryFormTexts).map(([name, { label, description }]) => (
              <Radio key={name} value={name} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
        {error !== null && <Alert color="red" role="alert">{describeError(error)}</Alert>}
        <Group justify="end">
          <Button variant="default" onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" loading={isBusy}>{submitLabel}</Button>
        </Group>
      </Stack>
    </form>
  )
}
