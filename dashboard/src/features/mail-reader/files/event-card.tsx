import { Paper, Stack, Text } from '@mantine/core'
import { showHidden } from '../format.ts'
import classes from '../reader.module.css'
import { readerTexts } from '../texts.ts'
import { readEvents } from './read-events.ts'

const texts = readerTexts.attachments.event

/** The events of a calendar file, such as an invitation. */
export function EventCards({ calendar }: { calendar: string }) {
  const { method, events } = readEvents(calendar)
  if (events.length === 0) return <Text size="sm">{texts.noEvent}</Text>
  return (
    <Stack gap="sm">
      {events.map(({ title, description, ...event }, index) => {
        const facts = [
          [texts.when, event.when], [texts.where, event.where], [texts.organizer, event.organizer],
          [texts.attendees, event.attendees > 0 ? `${event.attendees}` : ''], [texts.status, event.status], [texts.method, method],
        ].filter(([, value]) => value)
        return (
          <Paper key={index} withBorder p="md" component="article" aria-label={title || texts.noTitle}>
            <Text component="h3" fw={600} m={0} mb="xs"><bdi>{showHidden(title) || texts.noTitle}</bdi></Text>
            <dl className={classes['event']}>
              {facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd><bdi>{showHidden(value!)}</bdi></dd></div>)}
            </dl>
            {description && <Text size="sm" mt="xs" className={classes['text']} component="div"><bdi>{description}</bdi></Text>}
          </Paper>
        )
      })}
    </Stack>
  )
}
