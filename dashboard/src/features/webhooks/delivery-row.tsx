import { Badge, Button, Text, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { showDone } from '../../ui/notify.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Row } from '../../ui/rows.tsx'
import { DeliveryDetails } from './delivery-details.tsx'
import classes from './delivery-row.module.css'
import { deliveryTexts as texts } from './texts.ts'
import type { Delivery } from './use-deliveries.ts'
import { useRedeliver } from './use-deliveries.ts'

const colors: Record<string, string> = { pending: 'gray', succeeded: 'green', failed: 'red' }

/** One attempt; its button shows the details. */
export function DeliveryRow({ webhookId, delivery }: { webhookId: string, delivery: Delivery }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <Row
      actions={<RedeliverButton webhookId={webhookId} deliveryId={delivery.id} describedBy={id} />}
      below={isOpen && <div id={`${id}-details`}><DeliveryDetails delivery={delivery} /></div>}
    >
      <UnstyledButton
        className={classes['summary']} id={id} aria-expanded={isOpen} aria-controls={isOpen ? `${id}-details` : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconChevronRight className={classes['chevron']} size={16} aria-hidden data-open={isOpen || undefined} />
        <Summary delivery={delivery} />
      </UnstyledButton>
    </Row>
  )
}

function Summary({ delivery: { event, attempt, status, responseStatus, durationMs, dueAt, sentAt } }: { delivery: Delivery }) {
  return (
    <>
      <Text span size="sm" fw={600}>{event}</Text>
      <Badge size="sm" variant="light" color={colors[status] ?? 'gray'} tt="none">{texts.statuses[status] ?? status}</Badge>
      <Text span size="xs" c="dimmed">{texts.attempt(attempt)}</Text>
      {status !== 'pending' && <Text span size="xs" c="dimmed">{responseStatus ?? texts.noAnswer}</Text>}
      {durationMs !== null && <Text span size="xs" c="dimmed">{texts.duration(durationMs)}</Text>}
      <Text span size="xs" c="dimmed">{sentAt ? <RelativeTime at={sentAt} /> : <>{texts.due} <RelativeTime at={dueAt} /></>}</Text>
    </>
  )
}

function RedeliverButton({ webhookId, deliveryId, describedBy }: { webhookId: string, deliveryId: string, describedBy: string }) {
  const redeliver = useRedeliver(webhookId)
  return (
    <Button
      size="xs" variant="default" loading={redeliver.isPending} aria-describedby={describedBy}
      onClick={() => redeliver.mutate(deliveryId, { onSuccess: () => showDone(texts.redelivered) })}
    >
      {texts.redeliver}
    </Button>
  )
}
