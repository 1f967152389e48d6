import { Badge, Button, Text, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '../../ui/icons.tsx'
import { useId, useState } from 'react'
import { ForMembers } from '../../ui/for-members.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Row } from '../../ui/rows.tsx'
import { DeliveryDetails } from './delivery-details.tsx'
import classes from './delivery-row.module.css'
import { maxAttempts } from './event-deliveries.ts'
import type { EventDeliveries } from './event-deliveries.ts'
import { deliveryTexts as texts } from './texts.ts'
import type { Delivery } from './use-deliveries.ts'
import { useReplay } from './use-deliveries.ts'

const colors: Record<string, string> = { pending: 'gray', succeeded: 'green', failed: 'red', retrying: 'red' }

/** An event; its button shows the attempts to deliver it. */
export function EventRow({ webhookId, event: { eventId, title, attempts, state } }: { webhookId: string, event: EventDeliveries }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const [newest] = attempts
  return (
    <Row
      actions={state !== 'pending' && <ForMembers><ReplayButton webhookId={webhookId} deliveryId={newest!.id} describedBy={id} /></ForMembers>}
      below={isOpen && (
        <ol id={`${id}-attempts`} aria-label={texts.attemptsOf(title)} className={classes['attempts']}>
          {attempts.map((attempt) => <Attempt key={attempt.id} delivery={attempt} isFirst={attempt === newest} />)}
        </ol>
      )}
    >
      <UnstyledButton
        className={classes['summary']} id={id} aria-expanded={isOpen} aria-controls={isOpen ? `${id}-attempts` : undefined}
        onClick={() => setIsOpen(!isOpen)} data-event={eventId}
      >
        <Chevron isOpen={isOpen} />
        <Text span size="sm" fw={600} className={classes['title']}><bdi>{title}</bdi></Text>
        {title !== newest!.event && <Text span size="xs" c="dimmed">{newest!.event}</Text>}
        <Badge size="sm" variant="light" color={colors[state]} tt="none">{texts.statuses[state === 'retrying' ? 'failed' : state]}</Badge>
        <Outcome attempts={attempts} />
      </UnstyledButton>
    </Row>
  )
}

const Chevron = ({ isOpen }: { isOpen: boolean }) =>
  <IconChevronRight className={classes['chevron']} size={16} aria-hidden data-open={isOpen || undefined} />

/** The last answer of the endpoint, and the time of the last or the next attempt. */
function Outcome({ attempts }: { attempts: Delivery[] }) {
  const failed = attempts.filter(({ status }) => status === 'failed')
  const made = attempts.find(({ status }) => status !== 'pending')
  const [newest] = attempts
  return (
    <>
      {failed.length > 0 && <Text span size="xs" c="dimmed">{texts.failedOf(failed.length, Math.max(failed.length, maxAttempts))}</Text>}
      {made && <Text span size="xs" c="dimmed">{made.responseStatus ?? texts.noAnswer}</Text>}
      <Text span size="xs" c="dimmed"><When delivery={newest!} /></Text>
    </>
  )
}

const When = ({ delivery: { sentAt, dueAt } }: { delivery: Delivery }) =>
  sentAt ? <RelativeTime at={sentAt} /> : <>{texts.next} <RelativeTime at={dueAt} /></>

/** One attempt; its button shows request and answer. */
function Attempt({ delivery, isFirst }: { delivery: Delivery, isFirst: boolean }) {
  const [isOpen, setIsOpen] = useState(isFirst)
  const id = useId()
  const { attempt, status, responseStatus, durationMs } = delivery
  return (
    <li>
      <UnstyledButton className={classes['summary']} aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => setIsOpen(!isOpen)}>
        <Chevron isOpen={isOpen} />
        <Text span size="xs" fw={600}>{texts.attempt(attempt)}</Text>
        <Badge size="sm" variant="light" color={colors[status] ?? 'gray'} tt="none">{texts.statuses[status] ?? status}</Badge>
        {status !== 'pending' && <Text span size="xs" c="dimmed">{responseStatus ?? texts.noAnswer}</Text>}
        {durationMs !== null && <Text span size="xs" c="dimmed">{texts.duration(durationMs)}</Text>}
        <Text span size="xs" c="dimmed"><When delivery={delivery} /></Text>
      </UnstyledButton>
      {isOpen && <div id={id}><DeliveryDetails delivery={delivery} /></div>}
    </li>
  )
}

function ReplayButton({ webhookId, deliveryId, describedBy }: { webhookId: string, deliveryId: string, describedBy: string }) {
  const replay = useReplay(webhookId)
  return (
    <Button size="xs" variant="default" loading={replay.isPending} aria-describedby={describedBy} onClick={() => replay.mutate([deliveryId])}>
      {texts.replay}
    </Button>
  )
}
