import { expect } from 'chai'
import type { OpenAPIV3_1 } from 'openapi-types'
import { newSecret } from '../../cli/client/new-secret.ts'
import { webhookCommands } from '../../cli/commands/webhook.ts'
import { readEvent } from '../../sdk/events/event.ts'
import { readSecrets, signStandard } from '../../sdk/webhooks/signature.ts'
import { document } from '../../server/contract/document.ts'
import { deliveryHeaders } from '../../server/outbound/webhook-signature.ts'
import { newWebhookSecret, webhookKey } from '../../server/webhook-secret.ts'

const schema = (name: string) => document.components!.schemas![name] as OpenAPIV3_1.SchemaObject

describe('Webhook secrets: server, SDK and command line', () => {
  const pattern = new RegExp((schema('WebhookCreate').properties!['secret'] as OpenAPIV3_1.SchemaObject).pattern!)

  for (const [place, make] of Object.entries({ server: newWebhookSecret, 'command line': newSecret })) {
    it(`of the ${place} match the document's pattern and have 32 random bytes`, () => {
      const secret = make()
      expect(secret).to.match(pattern).and.not.equal(make())
      expect(webhookKey(secret)).to.have.length(32)
      expect(readSecrets(secret, 'verify')).to.deep.equal([secret])
    })
  }

  const ownSecrets = ['my own secret', 'whsec_no base64', `whsec_${'ab'.repeat(97)}`, 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'Geheimnis äöü 🔑']
  for (const secret of [newWebhookSecret(), 'whsec_c2g=', ...ownSecrets]) it(`such as ${secret.slice(0, 20)} produce the same signature in the server and in the SDK`, async () => {
    expect(secret).to.match(pattern)
    const body = Buffer.from('{"type":"email.received","event":"email.received"}')
    const headers = deliveryHeaders({
      eventId: 'e1', event: 'email.received', deliveryId: 'd1', sentAt: 1_700_000_001_999, body, secrets: [secret],
    })
    expect(headers['webhook-signature']).to.equal(`v1,${await signStandard(secret, 'e1', '1700000001', body)}`)
  })
})

describe('Webhook events: document, SDK and command line', () => {
  const events = schema('WebhookEvent').enum as string[]

  it('are the same in the document and in the SDK', () => {
    for (const type of events) expect(readEvent(JSON.stringify({ type }), '1'), type).to.include({ type })
    expect(readEvent('{"type":"email.read"}', '1')).to.equal(undefined)
  })

  for (const name of ['add', 'listen']) {
    it(`are the choices of mayfly webhook ${name} --events`, () => {
      const command = webhookCommands().commands.find((command) => command.name() === name)!
      expect(command.options.find(({ long }) => long === '--events')!.argChoices).to.have.members(events)
    })
  }
})
