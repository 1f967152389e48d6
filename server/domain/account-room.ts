import type { App } from '../context.ts'
import { AccountFullError } from '../errors.ts'
import { accountBytes } from '../store/accounts/account-bytes.ts'

/**
 * Checks `MAYFLY_MAX_ACCOUNT_BYTES`. Accepted mail that is not published yet counts as stored.
 * @param bytes about to be stored
 * @throws AccountFullError when the account would have more than its maximum
 */
export async function refuseWhenAccountFull({ config, db, arriving }: Pick<App, 'config' | 'db' | 'arriving'>, accountId: string, bytes: number): Promise<void> {
  if (config.maxAccountBytes === 0) return
  let total = bytes + await accountBytes(db, accountId)
  total += await db.engine.shared?.arrivals.waitingBytes(accountId) ?? 0
  for (const mail of arriving.values()) if (mail.accountId === accountId) total += mail.bytes
  if (total > config.maxAccountBytes) throw new AccountFullError()
}
