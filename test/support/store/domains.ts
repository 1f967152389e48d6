import { inTransaction } from '../../../server/store/database.ts'
import type { TestApp } from '../app.ts'

/** Adds domains of an account in a status, which no check has given them. */
export async function addDomains({ app }: TestApp, accountId: string, domains: Record<string, 'pending' | 'verified'>): Promise<void> {
  const row = { account_id: accountId, mode: 'live', token: 't', created_at: 0, verified_at: 0, pending_since: 0, failures: 0 } as const
  await inTransaction(app.db, (tx) => tx.sql.insertInto('domains')
    .values(Object.entries(domains).map(([domain, status]) => ({ ...row, id: tx.newId(), domain, status }))).execute())
}
