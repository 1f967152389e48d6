import { Group, Paper, SegmentedControl, Skeleton, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '../api/keys.ts'
import { mayfly } from '../api/session.ts'
import { Counters } from '../features/analytics/counters.tsx'
import { chartHeight, DayChart, DayTable } from '../features/analytics/days.tsx'
import { analyticsTexts as texts } from '../features/analytics/texts.ts'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'

export function AnalyticsPage() {
  const counters = useQuery({ queryKey: keys.analytics('counters'), queryFn: ({ signal }) => mayfly.analytics.get({ signal }) })
  return (
    <Page title={texts.title} description={texts.description}>
      {counters.isError && !counters.data
        ? <ErrorState error={counters.error} retry={() => void counters.refetch()} />
        : <Counters analytics={counters.data} />}
      <Days />
    </Page>
  )
}

function Days() {
  const [view, setView] = useState<string>('chart')
  const daily = useQuery({ queryKey: keys.analytics('daily'), queryFn: ({ signal }) => mayfly.analytics.daily({ days: 30 }, { signal }) })
  const days = daily.data
  const isEmpty = days?.every(({ received, sent }) => received + sent === 0)
  return (
    <>
      <Group justify="space-between" mt="xl" mb="sm">
        <Title order={2}>{texts.days}</Title>
        <SegmentedControl
          size="xs" aria-label={texts.view} value={view} onChange={setView}
          data={[{ value: 'chart', label: texts.chart }, { value: 'table', label: texts.table }]}
        />
      </Group>
      {daily.isError && !days && <ErrorState error={daily.error} retry={() => void daily.refetch()} />}
      {view === 'table' && days && <DayTable days={days} />}
      {(view === 'chart' || daily.isPending) && !(daily.isError && !days) && (
        <Paper withBorder p="md">
          {!days && <Skeleton height={chartHeight} />}
          {days && (isEmpty ? <EmptyState title={texts.empty}>{texts.emptyHint}</EmptyState> : <DayChart days={days} />)}
        </Paper>
      )}
    </>
  )
}
