import Sqlite from 'better-sqlite3'
import { idBoundary } from '../../../server/ids.ts'
import type { TestApp } from '../app.ts'
import { indexed } from './search-index.ts'

export interface ManyRows {
  key: string
  /** An address with nearly all mail. */
  addressId: string
  webhookId: string
  /** The ids of the oldest email and of an email in the middle. */
  oldest: string
  middle: string
}

/**
 * Makes an account with as many emails, addresses, audit records, deliveries and forwarding addresses. Each filter selects the oldest
 * sixteenth, so a query that reads the rest to find it reads nearly all rows.
 */
export async function manyRows(app: TestApp, count: number): Promise<ManyRows> {
  const key = await app.newKey()
  const call = async (path: string, body: object) => (await app.api<{ data: { id: string, address: string } }>('POST', path, { key, body })).body.data
  const [first, second] = [await call('/addresses', {}), await call('/addresses', {})]
  const webhook = await call('/webhooks', { url: 'https://hooks.example.org/', events: ['address.expired'] })
  await app.send({ to: first.address, subject: 'Your code', text: 'A word of many.' })
  await app.settled()
  await indexed(app)
  const sqlite = new Sqlite(app.app.config.database, { timeout: 10_000 })
  const email = sqlite.prepare('select * from emails where address_id = ?').get(first.id) as Record<string, string>
  const at = app.app.clock.now() - 1_000_000
  const owner = `'${email['account_id']}', '${email['mode']}'`
  // the ids end with a part of the account's id, as primary keys are unique across accounts
  const id = `substr('${idBoundary(at)}', 1, 8) || printf('-%04x-7000-8000-', i) || substr('${email['account_id']}', 25)`
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
  const isOld = `(i <= ${count / 16})`
  sqlite.exec(`begin immediate;
    ${numbers} insert into emails (id, account_id, mode, address_id, message_id, type, recipient, is_deleted, received_at)
      select ${id}, ${owner}, iif(${isOld} and i % 3 = 0, '${second.id}', '${first.id}'), '${email['message_id']}',
        iif(${isOld} and i % 2 = 0, 'sent', 'received'), 'a@example.org', ${isOld} and i % 5 = 0, ${at} from n;
    ${numbers} insert into addresses (id, account_id, mode, address, alias, created_at, expires_at, is_expired)
      select ${id}, ${owner}, ${id} || '@example.org', 'a', ${at}, iif(${isOld}, ${at}, ${at} + 100000000), ${isOld} from n;
    ${numbers} insert into audit_logs (id, account_id, mode, action, method, path, status, ip_address, created_at)
      select ${id}, ${owner}, 'emails.list', 'GET', '/api/v1/emails', 200, '127.0.0.1', ${at} from n;
    ${numbers} insert into webhook_deliveries (id, webhook_id, event_id, event, payload, attempt, is_counted, status, due_at, created_at)
      select ${id}, '${webhook.id}', ${id}, 'address.expired', '{}', 1, 1, 'failed', ${at}, ${at} from n;
    ${numbers} insert into forwarding_addresses (id, account_id, mode, email, token_hash, token_expires_at, created_at)
      select ${id}, ${owner}, i || '@example.org', ${id}, ${at}, ${at} from n;
    commit`)
  const [oldest, middle] = sqlite.prepare('select id from emails where account_id = ? order by id').pluck().all(email['account_id'])
    .filter((_, i) => i === 0 || i === count / 2) as string[]
  sqlite.close()
  await indexed(app)
  return { key, addressId: first.id, webhookId: webhook.id, oldest: oldest!, middle: middle! }
}
