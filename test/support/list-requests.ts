import type { ManyRows } from './store/many-rows.ts'

/** The path of every list with each combination of its filters, by name. */
export function listRequests({ addressId, webhookId, oldest, middle }: ManyRows): Record<string, string> {
  const emails: Record<string, string> = {}
  for (const type of ['', 'type=received', 'type=sent']) {
    for (const address of ['', `address_id=${addressId}`]) {
      for (const deleted of ['', 'is_deleted=true']) {
        for (const part of ['', `after=${oldest}`, `before=${middle}`, `after=${oldest}&before=${middle}`]) {
          for (const q of ['', 'q=word', 'q=word%20absent']) {
            const query = [type, address, deleted, part, q].filter(Boolean).join('&')
            emails[`emails ${query.replaceAll(/=[0-9a-f-]{36}/g, '=…')}`] = `/emails?limit=10&${query}`
          }
        }
      }
    }
  }
  const lists = { 'addresses': '/addresses?', 'active addresses': '/addresses?status=active&', 'expired addresses': '/addresses?status=expired&',
    'audit records': '/audit-logs?', 'deliveries': `/webhooks/${webhookId}/deliveries?`, 'forwarding addresses': '/forwarding-addresses?' }
  const others = Object.entries(lists).flatMap(([name, path]) => [
    [name, `${path}limit=10`], [`${name} before=…`, `${path}limit=10&before=${middle}`], [`${name} offset=500`, `${path}limit=10&offset=500`],
  ])
  return {
    ...emails, 'emails offset=500': '/emails?limit=10&offset=500', 'emails q=word&offset=500': '/emails?limit=10&q=word&offset=500',
    ...Object.fromEntries(others), 'analytics': '/analytics', 'analytics by day': '/analytics/daily', 'domains': '/domains', 'webhooks': '/webhooks',
  }
}
