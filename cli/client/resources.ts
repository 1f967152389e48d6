import type { ApiKey, Domain, EmailSummary, ForwardingAddress, Mayfly, Webhook } from '@mayfly-mail/sdk'
import type { Client } from './as-client.ts'
import { findId, itemsWithPart, onlyOne, refuseShortPart, searched } from './find-by-part.ts'
import type { Kind } from './find-by-part.ts'
import { isId } from './options.ts'
import { sender } from './show-email.ts'

export type WebhookDelivery = Awaited<ReturnType<Mayfly['webhooks']['test']>>

const emails: Kind<EmailSummary> = {
  plural: 'emails', listCommand: 'mayfly email list', title: (email) => `${sender(email)}  ${email.subject}`,
}
const webhooks: Kind<Webhook> = { plural: 'webhooks', listCommand: 'mayfly webhook list', title: ({ url }) => url }
const apiKeys: Kind<ApiKey> = { plural: 'API keys', listCommand: 'mayfly api-key list', title: ({ name }) => name }
const domains: Kind<Domain> = { plural: 'domains', listCommand: 'mayfly domain list', title: ({ domain }) => domain }
const forwardingAddresses: Kind<ForwardingAddress> = {
  plural: 'forwarding addresses', listCommand: 'mayfly forwarding list', title: ({ email }) => email,
}

/** The id of an email. @param wanted the id, its beginning or its end, as for the next functions */
export const emailId = ({ mayfly, signal }: Client, wanted: string, isDeleted = false): Promise<string> =>
  findId(wanted, emails, async () => (await mayfly.emails.list({ limit: searched, isDeleted }, { signal })).data)

export const webhookId = ({ mayfly, signal }: Client, wanted: string): Promise<string> =>
  findId(wanted, webhooks, () => mayfly.webhooks.list({ signal }))

export const apiKeyId = ({ mayfly, signal }: Client, wanted: string): Promise<string> =>
  findId(wanted, apiKeys, () => mayfly.apiKeys.list({ signal }))

/** The id of a delivery of a webhook. */
export const deliveryId = ({ mayfly, signal }: Client, webhook: string, wanted: string): Promise<string> => {
  const kind: Kind<WebhookDelivery> = {
    plural: 'deliveries of this webhook', listCommand: `mayfly webhook deliveries ${webhook}`,
    title: ({ event, createdAt }) => `${event}  ${createdAt.toISOString()}`,
  }
  return findId(wanted, kind, async () => (await mayfly.webhooks.deliveries(webhook, { limit: searched }, { signal })).data)
}

interface Finding {
  /** Whether the resource is changed in a way that cannot be undone. */
  isPermanent?: boolean
}

/** A domain, by its name or its id. */
export async function findDomain({ mayfly, signal }: Client, wanted: string, { isPermanent }: Finding = {}): Promise<Pick<Domain, 'id' | 'domain'>> {
  const all = await mayfly.domains.list({ signal })
  const named = all.find(({ domain }) => domain === wanted.toLowerCase())
  if (!named && isPermanent) refuseShortPart(wanted)
  return named ?? onlyOne(itemsWithPart(all, wanted), wanted, domains)
}

/** A forwarding address, by the address or its id. */
export async function findForwarding(
  { mayfly, signal }: Client, wanted: string, { isPermanent }: Finding = {},
): Promise<Pick<ForwardingAddress, 'id' | 'email'>> {
  if (isId(wanted)) return mayfly.forwardingAddresses.get(wanted, { signal })
  const { addresses } = await mayfly.forwardingAddresses.list({ limit: searched }, { signal })
  const named = addresses.find(({ email }) => email.toLowerCase() === wanted.toLowerCase())
  if (!named && isPermanent) refuseShortPart(wanted)
  return named ?? onlyOne(itemsWithPart(addresses, wanted), wanted, forwardingAddresses)
}
