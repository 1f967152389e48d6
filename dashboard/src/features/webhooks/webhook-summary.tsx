import type { Webhook } from '@mayfly-mail/sdk'
import { Badge, Text } from '@mantine/core'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Tags } from '../../ui/tags.tsx'
import { webhookTexts as texts } from './texts.ts'
import { useHealth } from './use-deliveries.ts'

/** Whether the plan of the account has no webhooks at present: a webhook that is disabled has a time. */
export const isPaused = ({ isActive, disabledAt }: Webhook): boolean => !isActive && disabledAt === null

/** The state of a webhook, which is kept up to date: a page has one of each webhook. */
export function WebhookStatus({ webhook, webhook: { id, isActive } }: { webhook: Webhook }) {
  const health = useHealth(id, true)
  const isFailing = isActive && health !== undefined && health.failingSince !== null
  return (
    <Badge size="sm" variant={isActive ? 'light' : 'default'} color={isFailing ? 'red' : isActive ? 'green' : 'gray'} tt="none">
      {isFailing ? texts.failing : isActive ? texts.active : isPaused(webhook) ? texts.paused : texts.disabled}
    </Badge>
  )
}

/** How the newest attempts ended, and how many more may fail. */
function WebhookHealth({ id }: { id: string }) {
  const health = useHealth(id)
  if (!health || health.made === 0) return null
  const { made, succeeded, failingSince, attemptsLeft } = health
  return (
    <Text size="xs" mb={2}>
      {failingSince && <>{texts.failingSince} <RelativeTime at={failingSince} />: </>}{texts.health(succeeded, made)}
      {attemptsLeft !== undefined && <> · {texts.attemptsLeft(attemptsLeft)}</>}
    </Text>
  )
}

/** The events and addresses of a webhook, and the reason for which it is disabled. */
export const WebhookSummary = (
  { webhook, webhook: { id, isActive, events, form, dialect, addressIds, createdAt, disabledAt, disabledReason } }: { webhook: Webhook },
) => (
  <>
    <Tags label={texts.events} names={events} />
    {isActive && <WebhookHealth id={id} />}
    {disabledAt && <Text size="xs" mb={2}>{texts.disabled} <RelativeTime at={disabledAt} />: {disabledReason}</Text>}
    {isPaused(webhook) && <Text size="xs" mb={2}>{texts.paused}: {disabledReason}</Text>}
    <Text size="xs" c="dimmed">
      {addressIds ? texts.someAddresses(addressIds.length) : texts.allAddresses}
      {form !== 'both' && <> · {texts.formAlone(form)}</>}
      {dialect === 'classic' && <> · {texts.classic}</>} · {texts.created} <RelativeTime at={createdAt} />
    </Text>
  </>
)
