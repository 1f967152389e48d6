import { Alert, Text } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { readerTexts } from './texts.ts'

const texts = readerTexts.delivery

/** The colours of states; those without one are neutral. */
const colors: Record<string, string> = { sent: 'green', deferred: 'yellow', failed: 'red' }

/** How far a sent mail is, or the forward of a received one. */
export function Delivery({ email: { status, sentAt, failureReason, forwarding } }: { email: Email }) {
  const delivery = forwarding ?? (status && { status, sentAt, failureReason, to: undefined })
  if (!delivery) return null
  return (
    <Alert color={colors[delivery.status] ?? 'gray'} variant="light" p="xs" role="status" aria-label={texts.title}>
      <Text size="sm" component="div">
        {delivery.to && <><bdi>{texts.forwarded(delivery.to)}</bdi>{' '}</>}
        {texts.states[delivery.status] ?? texts.other(delivery.status)}
        {delivery.sentAt && <>{' '}<RelativeTime at={delivery.sentAt} /></>}
      </Text>
      {delivery.failureReason && <Text size="sm"><bdi>{delivery.failureReason}</bdi></Text>}
    </Alert>
  )
}
