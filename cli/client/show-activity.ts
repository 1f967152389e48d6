import { join, line, paint } from '../output.ts'
import type { Text } from '../output.ts'

/** The members of events that are shown; each kind of event has some of them. */
interface ShownActivity {
  at: string
  kind: string
  stage?: string
  addresses?: string[]
  from?: string
  outcome?: string | number
  reason?: string
  text?: string
  event?: string
  status?: number | null
  attempt?: number
  bytes?: number
  ms?: number
  remoteAddress?: string
  network?: string
  refusals?: number
  id?: string
  ids?: string[]
  codes?: string[]
}

const colours = { accepted: 'green', refused: 'red', delivered: 'cyan', webhook: 'magenta' } as const
const failures = ['refused', 'failed', 'deferred']

/** Maximum recipients that are named. */
const maxNamed = 3

/** An event as one line. @param options.isShort local times, and neither sizes nor ids */
export function showActivity(event: ShownActivity, { isShort = false } = {}): Text {
  const { kind, outcome = '', codes = [] } = event
  const time = isShort ? new Date(event.at).toTimeString().slice(0, 8) : event.at.slice(11, -1)
  if (kind === 'left-out') return line`${time}  ${event.refusals!} more refusals to ${event.network!} without a line each`
  const colour = failures.includes(String(outcome)) ? 'red' : colours[kind as keyof typeof colours] ?? 'reset'
  return join([
    line`${isShort ? paint('dim', time) : time}  ${paint(colour, kind.padEnd(9))}`,
    ...event.from === undefined || event.stage === 'connection' ? [] : [line`${event.from || '<>'} →`],
    ...event.addresses?.length ? [line`${named(event.addresses)}`] : [],
    ...event.event ? [line`${event.event}`] : [],
    ...kind === 'accepted' ? [] : [line`${paint(colour, String(outcome))}`],
    ...event.status ? [line`${event.status}`] : [],
    ...event.text ?? event.reason ? [line`${event.text ?? event.reason!}`] : [],
    ...event.attempt && event.attempt > 1 ? [line`attempt ${event.attempt}`] : [],
    ...codes.length > 0 ? [line`${paint('bold', codes.join(' '))}`] : [],
    ...isShort ? [] : detailsOf(event),
  ], ' ')
}

const detailsOf = (event: ShownActivity) => [
  ...event.bytes ? [line`${event.bytes} bytes`] : [],
  ...event.remoteAddress ? [line`from ${event.remoteAddress}`] : [],
  ...event.ms === undefined ? [] : [line`${event.ms.toFixed(1)} ms`],
  ...[event.id ?? event.ids?.[0] ?? ''].filter(Boolean).map((id) => line`${id}`),
]

const named = (addresses: string[]) => addresses.length > maxNamed
  ? `${addresses.slice(0, maxNamed).join(', ')} and ${addresses.length - maxNamed} more`
  : addresses.join(', ')
