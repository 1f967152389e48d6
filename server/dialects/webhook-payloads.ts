import type { WebhookForm } from '../contract/types.gen.ts'
import type { DialectName } from './dialects.ts'
import { toClassicData } from './events.ts'

/** How a webhook gets its events. */
export interface PayloadFormat {
  form: WebhookForm
  dialect: DialectName
}

interface Payload {
  id: string
  type: string
  event: string
  createdAt: string
  timestamp: number
  data: object
}

/**
 * The payload of a webhook with a format of its own: form A has `event`, `timestamp` and `data`, form B `id`, `type`, `createdAt` and
 * `data`. The headers of a delivery follow from the members.
 * @param payload in both forms and the primary dialect, as JSON
 */
export function formatPayload(payload: string, { form, dialect }: PayloadFormat): string {
  const { data, ...head } = JSON.parse(payload) as Payload
  return JSON.stringify({ ...heads[form](head), data: dialect === 'classic' ? toClassicData(data) : data })
}

type Head = Omit<Payload, 'data'>

const heads: Record<WebhookForm, (head: Head) => Partial<Head>> = {
  a: ({ event, timestamp }) => ({ event, timestamp }),
  b: ({ id, type, createdAt }) => ({ id, type, createdAt }),
  both: (head) => head,
}
