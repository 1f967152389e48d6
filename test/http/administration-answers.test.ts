import { expect } from 'chai'
import { operationsOf, readDocument } from '../../openapi/document.ts'
import type { DocumentOperation } from '../../openapi/document.ts'
import { statusOf } from '../../server/errors.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { signIn } from '../support/sessions.ts'
import type { TestSession } from '../support/sessions.ts'
import { loseTable, refuseWrites } from '../support/store/faults.ts'
import { rowsOf } from '../support/store/rows.ts'

const unknownId = '019c0000-0000-7000-8000-000000000000'
const bodies: Record<string, object> = { 'accounts.create': { email: 'grace@example.com', plan: 'free' }, 'accounts.update': { plan: 'pro' } }
const operations = operationsOf(readDocument()).filter(({ operationId }) => /^(accounts|capturedEmails)\./.test(operationId))

interface Call {
  method?: string
  query?: string
  headers?: Record<string, string>
  body?: unknown
}

interface World {
  app: TestApp
  admin: TestSession
}

/** How to get an error from any of the operations. */
interface Refusal {
  env?: Record<string, string>
  /** Prepares the server. @returns its sessions of other accounts */
  prepare?(world: World): Promise<TestSession | void>
  call?: Call
}

const refusals: Record<number, Refusal> = {
  400: { call: { query: '?other=1' } },
  401: { call: { headers: { cookie: '' } } },
  403: { prepare: ({ app }) => signIn(app) },
  404: {},
  405: { call: { method: 'PUT' } },
  409: {
    async prepare({ admin }) { await admin.api('POST', '/addresses', { body: {}, headers: { 'idempotency-key': 'used' } }) },
    call: { headers: { 'idempotency-key': 'used' } },
  },
  413: { call: { body: ' '.repeat(1024 * 1024 + 1) } },
  415: { call: { headers: { 'content-type': 'text/plain' }, body: 'x' } },
  429: {
    env: { MAYFLY_RATE_LIMIT: '1' },
    async prepare({ admin }) { for (let i = 0; i < 6; i++) await admin.api('GET', '/account') },
  },
  500: { async prepare({ app }) { await loseTable(app, 'sessions') } },
}

describe('Administration: every operation answers with each of its documented errors', () => {
  for (const [status, refusal] of Object.entries(refusals)) {
    it(status, async () => {
      const documented = operations.filter(({ definition }) => status in definition.responses!)
      expect(documented).to.not.deep.equal([])
      await using app = await openTestApp({ env: refusal.env ?? {} })
      const admin = await signIn(app, { email: (await rowsOf(app, 'accounts'))[0]!.email })
      const session = await refusal.prepare?.({ app, admin }) ?? admin
      for (const operation of documented) {
        const { body } = await send(session, operation, refusal.call)
        expect(statusOf[body.code as keyof typeof statusOf], `${operation.operationId} ${JSON.stringify(body)}`).to.equal(Number(status))
      }
    })
  }

  const send = ({ api }: TestSession, { operationId, method, path }: DocumentOperation, call: Call = {}, id = unknownId) =>
    api(call.method ?? method.toUpperCase(), path.replace('/api/v1', '').replace('{id}', id) + (call.query ?? ''), {
      body: bodies[operationId], ...call,
    })

  it('507', async () => {
    const documented = operations.filter(({ definition }) => '507' in definition.responses!)
    await using app = await openTestApp()
    const admin = await signIn(app, { email: (await rowsOf(app, 'accounts'))[0]!.email })
    await signIn(app)
    const { id } = (await rowsOf(app, 'accounts'))[1]!
    const allow = await refuseWrites(app)
    for (const operation of documented) {
      const { status, body } = await send(admin, operation, {}, id)
      expect([status, body.code], operation.operationId).to.deep.equal([507, 'STORAGE_FULL'])
    }
    await allow()
    expect(documented.map(({ operationId }) => operationId)).to.deep.equal(['accounts.create', 'accounts.update', 'accounts.delete'])
  })
})
