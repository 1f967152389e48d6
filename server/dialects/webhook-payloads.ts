import { timestamp as timeOf } from '../clock.ts'
import type { WebhookForm } from '../contract/types.gen.ts'
import type { DialectName } from './dialect-name.ts'

/** An event as it is stored. */
export interface StoredEvent {
  id: string
  event: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** JSON text. */
  data: string
}

/** How a webhook gets its events. */
export interface PayloadFormat {
  form: WebhookForm
  dialect: DialectName
}

/** Of streams. */
const defaultFormat: PayloadFormat = { form: 'both', dialect: 'primary' }

/**
 * An event as JSON for webhooks and streams. Form A has `event`, `timestamp` and `data`, form B `id`, `type`, `createdAt` and `data`: the
 * headers of a delivery follow from the members.
 */
export function payloadOf({ id, event, createdAt, data }: StoredEvent, { form, dialect } = defaultFormat): string {
  const head = JSON.stringify(heads[form]({ id, type: event, event, createdAt: timeOf(createdAt), timestamp: createdAt }))
  return `${head.slice(0, -1)},"data":${dialect === 'classic' ? classicData(event, data) : data}}`
}

interface EventHead {
  id: string
  type: string
  event: string
  createdAt: string
  timestamp: number
}

const heads: Record<WebhookForm, (head: EventHead) => Partial<EventHead>> = {
  a: ({ event, timestamp }) => ({ event, timestamp }),
  b: ({ id, type, createdAt }) => ({ id, type, createdAt }),
  both: (head) => head,
}

/** By member, the prefix of its id. */
const idPrefixes: Record<string, string> = { emailId: 'email_', addressId: 'addr_' }

function classicData(event: string, data: string): string {
  const members = Object.entries(JSON.parse(data) as Record<string, unknown>).map(([name, value]) => {
    if (name === 'address' && event.startsWith('address.')) return ['email', value]
    const prefix = idPrefixes[name]
    return [name, prefix && typeof value === 'string' ? prefix + value : value]
  })
  return JSON.stringify(Object.fromEntries(members))
}
