import type { App } from '../context.ts'
import { AccountFullError } from '../errors.ts'
import { accountBytes } from '../store/account-bytes.ts'

/**
 * Makes sure that an account may store so many bytes more. What was accepted and is not shown yet counts as stored.
 * @throws AccountFullError
 */
export async function refuseWhenAccountFull({ config, db, arriving }: Pick<App, 'config' | 'db' | 'arriving'>, accountId: string, bytes: number): Promise<void> {
  if (config.maxAccountBytes === 0) return
  let total = bytes + await accountBytes(db, accountId)
  for (const mail of arriving.values()) if (mail.accountId === accountId) total += mail.bytes
  if (total > config.maxAccountBytes) throw new AccountFullError()
}
