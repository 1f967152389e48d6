import type { EmailStatus } from '@mayfly-mail/sdk'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/status-badge.tsx'
import { sendTexts as texts } from './texts.ts'

const tones: Record<string, Tone> = { sent: 'good', captured: 'good', failed: 'bad', queued: 'waiting', sending: 'waiting', deferred: 'waiting' }
/** States of which no other follows. */
const final = new Set<string>(['sent', 'captured', 'failed'])

/** Milliseconds until the state of a sent mail is loaded again; a delayed one is tried again minutes later. */
export function pollDelayMs(statuses: (EmailStatus | null)[]): number | false {
  const open = statuses.filter((status) => status !== null && !final.has(status))
  if (open.length === 0) return false
  return open.every((status) => status === 'deferred') ? 15_000 : 2_000
}

/** Servers may add states: those without a text are shown as they are. */
export const MailState = ({ status }: { status: EmailStatus }) => (
  <StatusBadge tone={tones[status] ?? 'neutral'}>{texts.states[status] ?? status}</StatusBadge>
)
