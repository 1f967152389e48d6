import { expect } from 'chai'
import { change } from '../../../server/http/handlers/change.ts'
import type { UnitOfWork } from '../../../server/http/handlers/handler.ts'
import { inTransaction } from '../../../server/store/database.ts'
import { openTestApp } from '../../support/app.ts'
import type { TestApp } from '../../support/app.ts'
import { ownerOf } from '../../support/store/accounts.ts'
import { rowsOf } from '../../support/store/rows.ts'
import type { App } from '../../../server/context.ts'

describe('Changes: one transaction per request', () => {
  let app: TestApp
  let unit: UnitOfWork & { isCommitted: boolean }
  beforeEach(async () => {
    app = await openTestApp()
    const { accountId, mode } = await ownerOf(app)
    unit = {
      usesReserve: false,
      isCommitted: false,
      recordsOf: () => ({
        audit: {
          accountId, mode, id: app.app.db.newId(), apiKeyId: null, sessionId: null, action: 'webhooks.delete', method: 'DELETE', path: '/', status: 200,
          resourceId: null, ipAddress: '', userAgent: null, createdAt: app.app.clock.now(),
        },
        key: undefined,
      }),
      markCommitted() { unit.isCommitted = true },
    }
  })
  afterEach(() => app[Symbol.asyncDispose]())

  const carryOut = (run: (app: App) => Promise<object>) =>
    change<'webhooks.delete', object>(run, () => ({ message: 'Done.' })).carryOut(app.app, {} as never, unit)
  const records = () => rowsOf(app, 'audit_logs')

  it('writes its records with the change, and answers with the result of the transaction', async () => {
    expect(await carryOut(({ db }) => inTransaction(db, async () => ({})))).to.deep.equal({ message: 'Done.' })
    expect([unit.isCommitted, (await records()).length]).to.deep.equal([true, 1])
  })

  it('writes no records when the transaction fails', async () => {
    const failing = carryOut(({ db }) => inTransaction(db, () => Promise.reject(new Error('stuck'))))
    expect(await failing.catch((error: Error) => error.message)).to.equal('stuck')
    expect([unit.isCommitted, await records()]).to.deep.equal([false, []])
  })

  for (const [what, run] of [
    ['a second transaction', async ({ db }: App) => {
      await inTransaction(db, async () => ({}))
      return inTransaction(db, async () => ({}))
    }],
    ['no transaction', async () => ({})],
    ['an answer that is made of something else', async ({ db }: App) => ({ ...await inTransaction(db, async () => ({})) })],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const message = await carryOut(run).then(() => '', (error: Error) => error.message)
      expect(message).to.match(/one transaction; this is its second|made of the result of its transaction/)
    })
  }
})
