import { idBoundary } from '../../../server/ids.ts'
import { inTransaction } from '../../../server/store/database.ts'
import type { TestApp } from '../app.ts'
import { rawSql } from './raw-sql.ts'
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
  const { db, clock } = app.app
  const key = await app.newKey()
  const call = async (path: string, body: object) => (await app.api<{ data: { id: string, address: string } }>('POST', path, { key, body })).body.data
  const [first, second] = [await call('/addresses', {}), await call('/addresses', {})]
  const webhook = await call('/webhooks', { url: 'https://hooks.example.org/', events: ['address.expired'] })
  await app.send({ to: first.address, subject: 'Your code', text: 'A word of many.' })
  await app.settled()
  await indexed(app)
  const email = await db.sql.selectFrom('emails').selectAll().where('address_id', '=', first.id).executeTakeFirstOrThrow()
  const at = clock.now() - 1_000_000
  const owner = `'${email.account_id}', '${email.mode}'`
  // each has a millisecond of its own, and ends with a part of the account's id, as primary keys are unique across accounts
  const number = 'cast(100000 + i as text)'
  const id = `'${idBoundary(at).slice(0, 7)}' || substr(${number}, 2, 1) || '-' || substr(${number}, 3) || '-7000-8000-${email.account_id.slice(24)}'`
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
  const isOld = `i <= ${Math.floor(count / 16)}`
  const flag = (condition: string) => `case when ${condition} then 1 else 0 end`
  await inTransaction(db, async (tx) => {
    const insert = (statement: string) => rawSql(tx, `${numbers} insert into ${statement} from n`)
    await insert(`emails (id, account_id, mode, address_id, message_id, type, recipient, is_deleted, received_at, seq)
      select ${id}, ${owner}, case when ${isOld} and i % 3 = 0 then '${second.id}' else '${first.id}' end, '${email.message_id}',
        case when ${isOld} and i % 2 = 0 then 'sent' else 'received' end, 'a@example.org', ${flag(`${isOld} and i % 5 = 0`)}, ${at}, i - ${count}`)
    await insert(`addresses (id, account_id, mode, address, alias, created_at, expires_at, is_expired)
      select ${id}, ${owner}, ${id} || '@example.org', 'a', ${at}, ${at} + case when ${isOld} then 0 else 100000000 end, ${flag(isOld)}`)
    await insert(`audit_logs (id, account_id, mode, action, method, path, status, ip_address, created_at)
      select ${id}, ${owner}, 'emails.list', 'GET', '/api/v1/emails', 200, '127.0.0.1', ${at}`)
    await insert(`webhook_deliveries (id, webhook_id, event_id, event, payload, attempt, is_counted, status, due_at, created_at)
      select ${id}, '${webhook.id}', ${id}, 'address.expired', '{}', 1, 1, 'failed', ${at}, ${at}`)
    await insert(`forwarding_addresses (id, account_id, mode, email, token_hash, token_expires_at, created_at)
      select ${id}, ${owner}, i || '@example.org', ${id}, ${at}, ${at}`)
  })
  if (db.engine.shared) await inTransaction(db, async (tx) => { await rawSql(tx, 'analyze') }) // as the server does within a minute
  const ids = await db.sql.selectFrom('emails').select('id').where('account_id', '=', email.account_id).orderBy('id').execute()
  await indexed(app)
  return { key, addressId: first.id, webhookId: webhook.id, oldest: ids[0]!.id, middle: ids[count / 2]!.id }
}
