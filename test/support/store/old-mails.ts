import { idBoundary } from '../../../server/ids.ts'
import { inTransaction } from '../../../server/store/database.ts'
import type { TestApp } from '../app.ts'
import { testEngineOf } from './engines.ts'
import { rawSql } from './raw-sql.ts'

/**
 * Inserts mails of 2 kB into an address of the first account, received at this time. They are not in the search index.
 * @returns some of their ids
 */
export async function oldMails(app: TestApp, addressId: string, { count, at }: { count: number, at: number }): Promise<string[]> {
  const { db } = app.app
  const id = `'${idBoundary(at)}-7000-8000-' || substr(cast(1000000000000 + i as text), 2)`
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
  await inTransaction(db, async (tx) => {
    await rawSql(tx, `${numbers} insert into messages (id, received_at, size, has_attachments, from_address, from_name, subject, preview, envelope,
        codes, links, headers, body_text, body_html, source)
      select ${id}, ${at}, 2000, 0, 'a@example.org', '', 's', 'p', '{}', '[]', '[]', '{}', 'text', '', ${testEngineOf(db).bytes(2000)} from n`)
    await rawSql(tx, `${numbers} insert into emails (id, account_id, mode, address_id, message_id, type, recipient, received_at)
      select ${id}, addresses.account_id, addresses.mode, addresses.id, ${id}, 'received', address, ${at}
      from n, addresses where addresses.id = '${addressId}'`)
    await rawSql(tx, `insert into email_counts (owner, type, is_deleted, total, ever, unread)
      select owner, 'received', 0, ${count}, ${count}, case when owner = '${addressId}' then ${count} else 0 end
      from (select id as owner from addresses where id = '${addressId}'
        union select account_id || '/' || mode from addresses where id = '${addressId}') owners where true
      on conflict (owner, type, is_deleted) do update set total = email_counts.total + excluded.total,
        ever = email_counts.ever + excluded.ever, unread = email_counts.unread + excluded.unread`)
    await rawSql(tx, 'delete from email_search_pending') // old mail has been indexed long ago
  })
  return (await rawSql<{ id: string }>(db, `select id from emails where address_id = '${addressId}' order by id desc limit 10`)).map((row) => row.id)
}
