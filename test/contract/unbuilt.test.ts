import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { bearer, exampleRequest, operations } from './requests.ts'

/** Taken off as they are built. */
const unbuilt = [
  'analytics.get', 'analytics.daily', 'auditLogs.list', 'emails.wait', 'events.stream', 'test.createEmail',
  'webhooks.list', 'webhooks.create', 'webhooks.get', 'webhooks.update', 'webhooks.delete', 'webhooks.test', 'webhooks.rotateSecret',
  'webhooks.deliveries', 'webhooks.redeliver',
]

describe('the operations of the document', () => {
  it('are all there, and 501 says which this server does not offer yet', async () => {
    await using app = await openTestApp()
    const found: string[] = []
    for (const operation of operations) {
      const { status, json } = await rawRequest(app.url, exampleRequest(operation, bearer(app.key)))
      if (status !== 501) continue
      expect(json, operation.operationId).to.deep.equal({ error: 'This server does not offer this operation yet.', code: 'NOT_IMPLEMENTED' })
      found.push(operation.operationId)
    }
    console.log(`      ${found.length} of ${operations.length} answer 501: ${found.join(', ')}`)
    expect(found.sort()).to.deep.equal(unbuilt.sort())
  })
})
