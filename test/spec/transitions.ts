import type { Row } from './rows.ts'
import type { SpecTable } from './table.ts'

/** Each transition is tested in the file of its resource. */
export const transitions: SpecTable<Row<'transition'>, AsyncDisposable> = {
  open: async () => ({ [Symbol.asyncDispose]: async () => {} }),
  proofs: {
    'Address, active: time reaches expiresAt → expired': { file: 'http/address-end.test.ts' },
    'Address, active or expired: DELETE address → removed': { file: 'http/address-end.test.ts' },
    'Email, present: DELETE email → soft-deleted': { file: 'http/emails.test.ts' },
    'Forwarding address, unverified: owner follows the link → verified': { file: 'http/forwarding-page.test.ts' },
    'Forwarding address, any: DELETE forwarding address → removed': { file: 'http/forwarding-rules.test.ts' },
    'Forwarding rule, none: PATCH rule → exists': { file: 'http/forwarding-rules.test.ts' },
    'Forwarding rule, active: PATCH rule with forwardToId null → disabled': { file: 'http/forwarding-rules.test.ts' },
    'Domain, pending: DNS records configured and checked → verified': { file: 'http/domain-checks.test.ts' },
    'Domain, any: DELETE domain → removed': { file: 'http/domains.test.ts' },
    'Webhook, active: 5 consecutive failed deliveries → disabled automatically': { file: 'webhooks/retries.test.ts' },
    'Webhook, any: DELETE webhook → removed': { file: 'webhooks/delivery.test.ts' },
    'Sent email, none: POST emails → queued': { file: 'sending/sending.test.ts' },
  },
}
