import { locale } from '../../../language.ts'

/** An event of a calendar (RFC 5545, section 3.6.1). Times are in words. */
export interface CalendarEvent {
  title: string
  when: string
  where: string
  organizer: string
  attendees: number
  status: string
  description: string
}

const maxEvents = 20

/** Reads a calendar file. @returns its events, and its method, such as `REQUEST` for an invitation (RFC 5546) */
export function readEvents(source: string): { method: string, events: CalendarEvent[] } {
  const lines = source.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const events: CalendarEvent[] = []
  let method = ''
  let fields: Map<string, { parameters: string, value: string }[]> | undefined
  for (const line of lines) {
    const [, written, parameters = '', value = ''] = /^([\w-]{1,40})((?:;[^:"]*(?:"[^"]*"[^:"]*)*)?):(.*)$/.exec(line) ?? []
    const name = written?.toUpperCase()
    if (name === 'BEGIN' && value.toUpperCase() === 'VEVENT') fields = new Map()
    else if (name === 'END' && fields && value.toUpperCase() === 'VEVENT') {
      events.push(toEvent(fields))
      fields = undefined
      if (events.length === maxEvents) break
    } else if (name === 'METHOD') method = value.trim()
    else if (name && fields) {
      const ofName = fields.get(name) ?? []
      fields.set(name, ofName)
      ofName.push({ parameters, value })
    }
  }
  return { method, events }
}

function toEvent(fields: Map<string, { parameters: string, value: string }[]>): CalendarEvent {
  const text = (name: string) => unescape(fields.get(name)?.[0]?.value ?? '')
  const time = (name: string) => formatTime(fields.get(name)?.[0])
  const [start, end] = [time('DTSTART'), time('DTEND')]
  const organizer = fields.get('ORGANIZER')?.[0]
  return {
    title: text('SUMMARY'),
    when: end && end !== start ? `${start} – ${end}` : start,
    where: text('LOCATION'),
    organizer: organizer ? /CN="?([^";]*)/i.exec(organizer.parameters)?.[1] ?? organizer.value.replace(/^mailto:/i, '') : '',
    attendees: fields.get('ATTENDEE')?.length ?? 0,
    status: text('STATUS'),
    description: text('DESCRIPTION'),
  }
}

const unescape = (value: string): string => value.replaceAll(/\\([nN,;\\])/g, (_, character: string) => character.toLowerCase() === 'n' ? '\n' : character)

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' })
const dayAndTime = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })

/** The time as the file has it, with the name of its time zone: that of the reader may be another one. */
function formatTime(field: { parameters: string, value: string } | undefined): string {
  const [, year, month, date, hour, minute, utc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d*(Z?))?/.exec(field?.value ?? '') ?? []
  if (!year) return field?.value ?? ''
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date), Number(hour ?? 0), Number(minute ?? 0)))
  if (Number.isNaN(at.getTime())) return field!.value
  if (hour === undefined) return day.format(at)
  const zone = utc ? 'UTC' : /TZID="?([^";:]*)/i.exec(field!.parameters)?.[1] ?? ''
  return `${dayAndTime.format(at)} ${zone}`.trim()
}
