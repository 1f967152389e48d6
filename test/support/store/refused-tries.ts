import { insertRefusedTry } from '../../../server/store/addresses/smtp-activity.ts'
import { inTransaction } from '../../../server/store/database.ts'
import type { TestApp } from '../app.ts'

/** Inserts refused tries of an address, with the code 450. */
export async function insertRefusedTries(app: TestApp, addressId: string, count: number): Promise<void> {
  const refused = { stage: 'rcpt' as const, client: null, from: '', code: 450, enhancedCode: '4.0.0', text: 'Try again later' }
  await inTransaction(app.app.db, async (tx) => {
    for (let i = 0; i < count; i++) await insertRefusedTry(tx, { addressId, recipients: [] }, refused)
  })
}
