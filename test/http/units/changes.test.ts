import { expect } from 'chai'
import { change } from '../../../server/http/handlers/change.ts'
import type { UnitOfWork } from '../../../server/http/handlers/handler.ts'
import type { Tx } from '../../../server/store/database.ts'
import { openTestApp } from '../../support/app.ts'
import type { TestApp } from '../../support/app.ts'
import { ownerOf } from '../../support/store/accounts.ts'
import { rowsOf } from '../../support/store/rows.ts'

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
          accountId, mode, id: app.app.db.newId(), apiKeyId: null, sessionId: null, member: null, action: 'webhooks.delete', method: 'DELETE', path: '/', status: 200,
          resourceId: null, ipAddress: '', userAgent: null, createdAt: app.app.clock.now(),
        },
        key: undefined,
      }),
      markCommitted() { unit.isCommitted = true },
    }
  })
  afterEach(() => app[Symbol.asyncDispose]())

  const carryOut = (run: (tx: Tx) => Promise<object>) =>
    change<'webhooks.delete', object>({ run, reply: () => ({ message: 'Done.' }) }).carryOut(app.app, {} as never, unit)
  const records = () => rowsOf(app, 'audit_logs')

  it('writes its records with the change, and answers with the result of the transaction', async () => {
    expect(await carryOut(async () => ({}))).to.deep.equal({ message: 'Done.' })
    expect([unit.isCommitted, (await records()).length]).to.deep.equal([true, 1])
  })

  it('writes no records when the transaction fails', async () => {
    const failing = carryOut(() => Promise.reject(new Error('stuck')))
    expect(await failing.catch((error: Error) => error.message)).to.equal('stuck')
    expect([unit.isCommitted, await records()]).to.deep.equal([false, []])
  })

  it('cannot begin another transaction: its services have no database', () => {
    change<'webhooks.delete', void>({
      // @ts-expect-error a change gets its transaction, and nothing that begins another one
      run: async (_tx, _request, services) => { await services.db.commit(async () => {}) },
      reply: () => ({ message: 'Done.' }),
    })
  })
})
