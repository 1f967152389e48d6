import { expect } from 'chai'
import { Mayfly } from '@mayfly-mail/sdk'
import type { Domain, EmailStatus, EmailType, EventName, Webhook, WebhookEvent } from '@mayfly-mail/sdk'
import type { EmailStatus as StatusOfServer } from '../../server/contract/types.gen.ts'
import { document } from '../contract/requests.ts'

const examples = document.components!.examples as unknown as Record<string, { value: { data: Record<string, unknown> } }>

describe('SDK: values that a newer server knows', () => {
  it('are allowed by the types of answers, and not by those of requests', () => {
    const others: [EmailStatus, EmailType, EventName, Domain['status']] = ['bounced', 'imported', 'domain.verified', 'suspended']
    const known: EmailStatus = 'sent'
    // @ts-expect-error a webhook cannot subscribe to an event that the SDK does not know
    const subscription: WebhookEvent = 'domain.verified'
    // @ts-expect-error the server may only write values of its document
    const written: StatusOfServer = 'bounced'
    expect([...others, known, subscription, written]).to.have.length(7)
  })

  it('are returned unchanged', async () => {
    const email = { ...examples['EmailArabic']!.value.data, type: 'imported', status: 'bounced', notYetKnown: 'new' }
    const sdk = new Mayfly({ apiKey: 'svc_test_key', fetch: async () => Response.json({ data: email }) })
    const { type, status, receivedAt } = await sdk.emails.get('019ceb9c-fd18-7fbe-897e-237d3a956cc3')
    expect({ type, status, receivedAt }).to.deep.equal({ type: 'imported', status: 'bounced', receivedAt: new Date(examples['EmailArabic']!.value.data['receivedAt'] as string) })

    const webhook: Pick<Webhook, 'id' | 'events'> = { id: '019cebae-61c0-724e-a29a-92271e27a1c0', events: ['email.received', 'domain.verified'] }
    const other = new Mayfly({ apiKey: 'svc_test_key', fetch: async () => Response.json({ data: [webhook] }) })
    expect((await other.webhooks.list())[0]).to.deep.equal(webhook)
  })
})
