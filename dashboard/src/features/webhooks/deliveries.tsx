import { Button, Center, Group, SegmentedControl, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { ForMembers } from '../../ui/for-members.tsx'
import { Rows } from '../../ui/rows.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { groupByEvent } from './event-deliveries.ts'
import type { EventDeliveries } from './event-deliveries.ts'
import { EventRow } from './event-row.tsx'
import { deliveryTexts as texts } from './texts.ts'
import { useDeliveries, useReplay } from './use-deliveries.ts'

const shows = {
  all: () => true,
  failed: ({ state }: EventDeliveries) => state === 'failed' || state === 'retrying',
  pending: ({ state }: EventDeliveries) => state === 'pending' || state === 'retrying',
}

type Show = keyof typeof shows

/** The events that were delivered to a webhook, each with its attempts. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const [show, setShow] = useState<Show>('all')
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useDeliveries(webhookId)
  const events = data && groupByEvent(data.pages.flatMap((page) => page.data))
  const shown = events?.filter(shows[show])
  const failed = events?.filter(({ state }) => state === 'failed') ?? []
  return (
    <section>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{texts.title}</Title>
        {events && events.length > 0 && (
          <Group gap="xs">
            {failed.length > 0 && <ForMembers><ReplayAll webhookId={webhookId} failed={failed} /></ForMembers>}
            <SegmentedControl
              size="xs" aria-label={texts.show} value={show} onChange={(value) => setShow(value as Show)}
              data={Object.keys(shows).map((value) => ({ value, label: texts.shows[value as Show] }))}
            />
          </Group>
        )}
      </Group>
      {!events
        ? error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingRows height={44} />
        : shown!.length === 0
          ? <Text size="sm" c="dimmed">{events.length === 0 ? texts.empty : texts.noneShown}</Text>
          : <Rows label={texts.title}>{shown!.map((event) => <EventRow key={event.eventId} webhookId={webhookId} event={event} />)}</Rows>}
      {hasNextPage && (
        <Center mt="md">
          <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>{texts.more}</Button>
        </Center>
      )}
    </section>
  )
}

/** Delivers the listed events again that are not tried any more. */
function ReplayAll({ webhookId, failed }: { webhookId: string, failed: EventDeliveries[] }) {
  const replay = useReplay(webhookId)
  return (
    <Button size="xs" variant="default" loading={replay.isPending} onClick={() => replay.mutate(failed.map(({ attempts }) => attempts[0]!.id))}>
      {texts.replayAll(failed.length)}
    </Button>
  )
}
