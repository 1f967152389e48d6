import { Table } from '@mantine/core'
import type { AnalyticsDay } from '@mayfly-mail/sdk'
import { locale, number } from '../../language.ts'
import { DataTable } from '../../ui/data-table.tsx'
import classes from './analytics.module.css'
import { analyticsTexts as texts } from './texts.ts'

const formats = {
  axis: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  row: new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }),
}
export const chartHeight = 300

const sum = (days: AnalyticsDay[], of: 'received' | 'sent') => number(days.reduce((total, day) => total + day[of], 0))

/** A picture for the eyes; its name has the totals, and the table the numbers. */
export function DayChart({ days }: { days: AnalyticsDay[] }) {
  const step = stepOf(Math.max(...days.map(({ received, sent }) => received + sent)) / 4)
  const top = 4 * step
  const height = (count: number) => ({ height: `${100 * count / top}%` })
  return (
    <div role="img" aria-label={texts.summary(sum(days, 'received'), sum(days, 'sent'))} className={classes['chart']} style={{ height: chartHeight }}>
      <div className={classes['plot']}>
        {[0, 1, 2, 3, 4].map((line) => (
          <div key={line} className={classes['line']} style={{ bottom: `${25 * line}%` }}><span>{number(line * step)}</span></div>
        ))}
        {days.map(({ day, received, sent }, index) => (
          <div key={day.getTime()} className={classes['day']}>
            <i className={classes['sent']} style={height(sent)} />
            <i className={classes['received']} style={height(received)} />
            {(days.length - 1 - index) % 5 === 0 && <span className={classes['date']}>{formats.axis.format(day)}</span>}
            <span className={classes['numbers']}>
              <b>{formats.row.format(day)}</b>
              <span>{texts.received}: {number(received)}</span>
              <span>{texts.sent}: {number(sent)}</span>
            </span>
          </div>
        ))}
      </div>
      <div className={classes['legend']}>
        <span><i className={classes['received']} />{texts.received}</span>
        <span><i className={classes['sent']} />{texts.sent}</span>
      </div>
    </div>
  )
}

/** The least of 1, 2, 5, 10, 20 and so on that is not below. */
function stepOf(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)))
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least)!
}

export const DayTable = ({ days }: { days: AnalyticsDay[] }) => (
  <DataTable label={texts.days} columns={[{ title: texts.day }, { title: texts.received, align: 'end' }, { title: texts.sent, align: 'end' }]}>
    {days.toReversed().map(({ day, received, sent }) => (
      <Table.Tr key={day.getTime()}>
        <Table.Td>{formats.row.format(day)}</Table.Td>
        <Table.Td ta="end" className={classes['number']}>{number(received)}</Table.Td>
        <Table.Td ta="end" className={classes['number']}>{number(sent)}</Table.Td>
      </Table.Tr>
    ))}
  </DataTable>
)
