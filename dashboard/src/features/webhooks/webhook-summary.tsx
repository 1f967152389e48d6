import type { Webhook } from '@mayfly-mail/sdk'
import { Badge, Text } from '@mantine/core'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Tags } from '../../ui/tags.tsx'
import { webhookTexts as texts } from './texts.ts'

/** Whether the plan of the account has no webhooks at present: a webhook that is disabled has a time. */
export const isPaused = ({ isActive, disabledAt }: Webhook): boolean => !isActive && disabledAt === null

export const WebhookStatus = ({ webhook, webhook: { isActive } }: { webhook: Webhook }) => (
  <Badge size="sm" variant={isActive ? 'light' : 'default'} color={isActive ? 'green' : 'gray'} tt="none">
    {isActive ? texts.active : isPaused(webhook) ? texts.paused : texts.disabled}
  </Badge>
)

/** The events and addresses of a webhook, and the reason for which it is disabled. */
export const WebhookSummary = (
  { webhook, webhook: { events, form, dialect, addressIds, createdAt, disabledAt, disabledReason } }: { webhook: Webhook },
) => (
  <>
    <Tags label={texts.events} names={events} />
    {disabledAt && <Text size="xs" mb={2}>{texts.disabled} <RelativeTime at={disabledAt} />: {disabledReason}</Text>}
    {isPaused(webhook) && <Text size="xs" mb={2}>{texts.paused}: {disabledReason}</Text>}
    <Text size="xs" c="dimmed">
      {addressIds ? texts.someAddresses(addressIds.length) : texts.allAddresses}
      {form !== 'both' && <> · {texts.formAlone(form)}</>}
      {dialect === 'classic' && <> · {texts.classic}</>} · {texts.created} <RelativeTime at={createdAt} />
    </Text>
  </>
)
