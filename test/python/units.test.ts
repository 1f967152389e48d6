import { expect } from 'chai'
import { webhooks } from '@mayfly-mail/sdk'
import type { WebhookDraft } from '@mayfly-mail/sdk'
import { programs, runPython, withPython } from './python.ts'

interface Result {
  run: number
  skipped: number
  failures: string[]
}

const titles = {
  test_retries: 'retries within the time-out, and calls hooks',
  test_errors: 'reports errors and limits answers',
  test_options: 'refuses options that cannot be used, by name',
  test_forks: 'serves child processes of a fork',
  test_hostile_servers: 'ends in time with its own errors on servers that break the rules of HTTP',
  test_tls: 'keeps connections over TLS, and refuses unknown certificates',
  test_wait_for: 'waits for mail like the TypeScript SDK',
  test_events: 'follows events over lost connections',
  test_generated: 'requests pages, reads answers of other versions, and sends arguments',
  test_webhooks: 'verifies deliveries of both forms, and those that the TypeScript SDK signed',
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const drafts: WebhookDraft[] = [
  { type: 'email.deleted', data: { emailId: '019ceb98-68c0-76ca-83c8-90c1d3ac94af', addressId: '019ceb92-ea80-752e-bca9-6513269e0d37' } },
  {
    type: 'email.received',
    data: {
      emailId: '019ceb98-68c0-76ca-83c8-90c1d3ac94af', addressId: '019ceb92-ea80-752e-bca9-6513269e0d37', from: 'käse@example.org',
      subject: 'Grüße “\u{1f600}”', receivedAt: new Date(),
    },
  },
]

withPython('Python SDK: the core', function () {
  let results: Record<string, Result>

  before(async function () {
    const deliveries = await Promise.all(drafts.map(async (draft) => ({ ...await webhooks.sign(draft, secret), secret, type: draft.type })))
    const args = ['-X', 'dev', '-W', 'error', `${programs}/run_units.py`, ...Object.keys(titles)]
    results = JSON.parse(await runPython(args, { WEBHOOK_DELIVERIES: JSON.stringify(deliveries) })) as typeof results
  })

  for (const [module, title] of Object.entries(titles)) {
    it(title, () => {
      const { run, skipped, failures } = results[module]!
      expect(failures.join('\n')).to.equal('')
      expect(skipped).to.equal(0)
      expect(run).to.be.above(5)
    })
  }

  it('signs deliveries that the TypeScript SDK verifies', async () => {
    const code = `
import json
from mayfly import webhooks
delivery = webhooks.sign('email.deleted', {'emailId': 'ä', 'addressId': 'b'}, ['${secret}', 'whsec_AAAA'])
print(json.dumps({'body': delivery.body.decode(), 'headers': delivery.headers}))`
    const { body, headers } = JSON.parse(await runPython(['-c', code])) as { body: string, headers: Record<string, string> }
    const event = await webhooks.verify(body, headers, secret)
    expect(event).to.deep.include({ type: 'email.deleted', data: { emailId: 'ä', addressId: 'b' } })
    expect(await webhooks.verify(body, headers, 'whsec_AAAA')).to.deep.equal(event)
  })
})
