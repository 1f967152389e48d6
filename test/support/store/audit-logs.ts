import { inTransaction } from '../../../server/store/database.ts'
import type { TestApp } from '../app.ts'
import { ownerOf } from './accounts.ts'
import { testEngineOf } from './engines.ts'

/** Writes audit records of the first account, all of this moment. */
export async function addAuditRows(app: TestApp, count: number): Promise<void> {
  const { accountId, mode } = await ownerOf(app)
  const row = {
    account_id: accountId, mode, action: 'x', method: 'GET', path: '/', status: 200, ip_address: '', created_at: app.app.clock.now(), call_count: 1,
  }
  const totals = { account_id: accountId, mode, addresses: 0, active_addresses: 0, audit_logs: count }
  await inTransaction(app.app.db, async (tx) => {
    await tx.sql.insertInto('audit_logs').values(Array.from({ length: count }, () => ({ ...row, id: tx.newId() }))).execute()
    await tx.sql.insertInto('totals').values(totals).onConflict((old) => old.columns(['account_id', 'mode']).doUpdateSet({ audit_logs: count })).execute()
  })
}

const tampering = {
  update: "update audit_logs set status = 200, path = ''",
  delete: 'delete from audit_logs',
}

/** Tries to change or remove audit records past the server. @throws Error of the database */
export async function tamperWithAuditLogs({ app }: TestApp, how: keyof typeof tampering | 'replace'): Promise<void> {
  const statement = how === 'replace' ? testEngineOf(app.db).replaceRows('audit_logs') : tampering[how]
  await inTransaction(app.db, async (tx) => { await tx.execute(statement, []) })
}
