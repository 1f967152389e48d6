import { WebhookVerificationError } from './error.ts'

/** The headers of a request: `Headers`, or an object with names in any case, such as Node's `request.headers`. */
export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | readonly string[] | undefined>

/** The signatures of a delivery and the data that they cover, in one of the two forms of headers. Form B has no timestamp. */
export type Claim =
  | { form: 'standard', id: string, timestamp: string, signatures: string[] }
  | { form: 'service', timestamp: string | undefined, signatures: string[] }

/**
 * The headers of Standard Webhooks, or else those of the API's own form.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function readClaim(headers: WebhookHeaders): Claim {
  const header = lookup(headers)
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header)
  if (id && timestamp && signature) return { form: 'standard', id, timestamp, signatures: readList(signature, 'v1,') }
  const [ownTimestamp, ownSignature, event] = ['x-service-timestamp', 'x-service-signature', 'x-service-event'].map(header)
  if (!ownSignature || !ownTimestamp && !event) throw headersMissing()
  return { form: 'service', timestamp: ownTimestamp || undefined, signatures: readList(ownSignature, 'sha256=') }
}

export const headersMissing = (): WebhookVerificationError => new WebhookVerificationError(
  'Headers of a delivery are missing: webhook-id, webhook-timestamp and webhook-signature. Are these the headers of the request?',
)

/** Splits a list of signatures at spaces, and at the commas by which runtimes join repeated headers. */
function readList(value: string, prefix: string): string[] {
  return value.split(/,?\s+/).filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length))
}

function lookup(headers: WebhookHeaders): (name: string) => string | undefined {
  if (isHeaders(headers)) return (name) => headers.get(name) ?? undefined
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value !== undefined) values.set(name.toLowerCase(), [value].flat().join(' '))
  }
  return (name) => values.get(name)
}

/** Not by instanceof: test runners and old versions of `fetch` have their own classes. */
const isHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } => typeof headers?.get === 'function'
