import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { Box, Table } from '@mantine/core'
import type { AnalyticsDay } from '@mayfly-mail/sdk'
import { DataTable } from '../../ui/data-table.tsx'
import classes from './analytics.module.css'
import { analyticsTexts as texts } from './texts.ts'

const formats = {
  axis: new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  row: new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }),
}
export const chartHeight = 300

const sum = (days: AnalyticsDay[], of: 'received' | 'sent') => days.reduce((total, day) => total + day[of], 0).toLocaleString('en')

/** A picture for the eyes; its name has the totals, and the table the numbers. */
export const DayChart = ({ days }: { days: AnalyticsDay[] }) => (
  <Box role="img" aria-label={texts.summary(sum(days, 'received'), sum(days, 'sent'))} className={classes['chart']}>
    <BarChart
      h={chartHeight} dataKey="day" withLegend type="stacked" tickLine="none" gridAxis="x"
      data={days.map(({ day, received, sent }) => ({ day: formats.axis.format(day), [texts.received]: received, [texts.sent]: sent }))}
      series={[{ name: texts.received, color: 'var(--received)' }, { name: texts.sent, color: 'var(--sent)' }]}
      xAxisProps={{ interval: 'equidistantPreserveStart', minTickGap: 24 }} yAxisProps={{ allowDecimals: false, width: 40 }} legendProps={{ verticalAlign: 'bottom' }}
      barChartProps={{ accessibilityLayer: false }} barProps={{ isAnimationActive: false, maxBarSize: 28 }} tooltipAnimationDuration={0}
    />
  </Box>
)

export const DayTable = ({ days }: { days: AnalyticsDay[] }) => (
  <DataTable label={texts.days} columns={[{ title: texts.day }, { title: texts.received, align: 'end' }, { title: texts.sent, align: 'end' }]}>
    {days.toReversed().map(({ day, received, sent }) => (
      <Table.Tr key={day.getTime()}>
        <Table.Td>{formats.row.format(day)}</Table.Td>
        <Table.Td ta="end" className={classes['number']}>{received.toLocaleString('en')}</Table.Td>
        <Table.Td ta="end" className={classes['number']}>{sent.toLocaleString('en')}</Table.Td>
      </Table.Tr>
    ))}
  </DataTable>
)
