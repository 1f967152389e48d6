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
}

const colours = { accepted: 'green', refused: 'red', delivered: 'cyan', webhook: 'magenta' } as const
const failures = ['refused', 'failed', 'deferred']

/** Maximum recipients that are named. */
const maxNamed = 3

/** An event as one line. */
export function showActivity(event: ShownActivity): Text {
  const { kind, outcome = '' } = event
  if (kind === 'left-out') return line`${timeOf(event)}  ${event.refusals!} more refusals to ${event.network!} without a line each`
  const colour = failures.includes(String(outcome)) ? 'red' : colours[kind as keyof typeof colours] ?? 'reset'
  return join([
    line`${timeOf(event)}  ${paint(colour, kind.padEnd(9))}`,
    ...event.from === undefined || event.stage === 'connection' ? [] : [line`${event.from || '<>'} →`],
    ...event.addresses?.length ? [line`${named(event.addresses)}`] : [],
    ...event.event ? [line`${event.event}`] : [],
    ...kind === 'accepted' ? [] : [line`${paint(colour, String(outcome))}`],
    ...event.status ? [line`${event.status}`] : [],
    ...event.text ?? event.reason ? [line`${event.text ?? event.reason!}`] : [],
    ...event.attempt && event.attempt > 1 ? [line`attempt ${event.attempt}`] : [],
    ...event.bytes ? [line`${event.bytes} bytes`] : [],
    ...event.remoteAddress ? [line`from ${event.remoteAddress}`] : [],
    ...event.ms === undefined ? [] : [line`${event.ms.toFixed(1)} ms`],
    ...[event.id ?? event.ids?.[0] ?? ''].filter(Boolean).map((id) => line`${id}`),
  ], ' ')
}

const timeOf = ({ at }: ShownActivity) => at.slice(11, -1)

const named = (addresses: string[]) => addresses.length > maxNamed
  ? `${addresses.slice(0, maxNamed).join(', ')} and ${addresses.length - maxNamed} more`
  : addresses.join(', ')
