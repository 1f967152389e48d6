import Sqlite from 'better-sqlite3'
import { idBoundary } from '../../../server/ids.ts'
import type { TestApp } from '../app.ts'

/**
 * Inserts mails of 2 kB into an address of the first account, received at this time. They are not in the search index.
 * @returns some of their ids
 */
export function oldMails(app: TestApp, addressId: string, { count, at }: { count: number, at: number }): string[] {
  const sqlite = new Sqlite(app.app.config.database, { timeout: 10_000 })
  const id = `printf('${idBoundary(at)}-7%03x-8000-%012x', i / 4096, i)`
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
  sqlite.exec(`begin immediate;
    ${numbers} insert into messages (id, received_at, size, has_attachments, from_address, from_name, subject, preview, envelope,
        codes, links, headers, body_text, body_html, source)
      select ${id}, ${at}, 2000, 0, 'a@example.org', '', 's', 'p', '{}', '[]', '[]', '{}', 'text', '', zeroblob(2000) from n;
    ${numbers} insert into emails (id, account_id, mode, address_id, message_id, type, recipient, received_at)
      select ${id}, addresses.account_id, addresses.mode, addresses.id, ${id}, 'received', address, ${at}
      from n, addresses where addresses.id = '${addressId}';
    insert into email_counts (owner, type, is_deleted, total, ever, unread)
      select owner, 'received', 0, ${count}, ${count}, iif(owner = '${addressId}', ${count}, 0)
      from (select id as owner from addresses where id = '${addressId}'
        union select account_id || '/' || mode from addresses where id = '${addressId}') where true
      on conflict do update set total = total + excluded.total, ever = ever + excluded.ever, unread = unread + excluded.unread;
    delete from email_search_pending; -- what is old has been indexed long ago
    commit`)
  const ids = sqlite.prepare('select id from emails where address_id = ? order by id desc limit 10').pluck().all(addressId) as string[]
  sqlite.close()
  return ids
}
